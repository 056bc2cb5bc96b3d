import { LineCounter, parseDocument, type Document, type ErrorCode } from 'yaml'
import type { Mistake } from './mistakes/mistake.ts'

/** Our own messages: the parser's repeat parts of the file, which may be secrets. */
const syntaxProblems: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'a YAML alias is not allowed here',
  BAD_DQ_ESCAPE: 'unknown escape in double quotes',
  BAD_INDENT: 'wrong indentation, or a bracket that is not closed',
  BAD_SCALAR_START: 'an unquoted value cannot start with this character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a nested section must start on its own line',
  BLOCK_IN_FLOW: 'an indented section is not allowed within { } or [ ]',
  DUPLICATE_KEY: 'this key is set twice',
  MISSING_CHAR: 'a character is missing here, such as a comma, a quote, ":" or a closing bracket',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line with its ":"',
  MULTIPLE_DOCS: 'expected a single document, without "---"',
  TAB_AS_INDENT: 'tabs cannot be used for indentation: use spaces',
  TAG_RESOLVE_FAILED: 'unknown tag',
  UNEXPECTED_TOKEN: 'unexpected content',
}

export interface ParsedDocument {
  document: Document
  lines: LineCounter
  /** Syntax errors. */
  mistakes: Mistake[]
  /** Whether the document can be checked further despite its mistakes. */
  usable: boolean
}

export function parseYaml(text: string): ParsedDocument {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const problems = [...document.errors, ...document.warnings]
  const mistakes = problems.map((problem): Mistake => {
    const place = lines.linePos(problem.pos[0])
    const message = syntaxProblems[problem.code] ?? 'this is not valid YAML'
    return { line: place.line, column: place.col, path: [], message: `YAML: ${message}` }
  })
  return { document, lines, mistakes, usable: document.errors.every(({ code }) => code === 'DUPLICATE_KEY') }
}
