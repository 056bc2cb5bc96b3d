import { matchesGlob, posix } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { tests } from './oxlint.config.ts'

/*
 * The house rules of one file that oxlint.config.ts cannot say. Each answers sentences, one a violation.
 *
 * - Names: oxlint looks at the case of a file's name, at no folder's, and has no list of words for either.
 * - Lines: oxlint has no length of a line, and oxfmt leaves comments and strings as long as they are.
 * - Folders: oxlint sees one file at a time.
 * - Functions of tests: `max-lines-per-function` takes a group of tests for a function.
 * - Ways out of a workspace: oxlint compares an import as it is written, and does not resolve it to a file.
 */

export interface SourceFile {
  /** From the root, with `/`: `packages/gateway/pipeline.ts`. */
  path: string
  text: string
}

interface Import {
  from: string
  line: number
}

const maxFunctionLines = 70
const maxLineLength = 110
const maxFilesPerFolder = 16
const forbiddenNames = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'lib']

/** Tests and what only they use: they may reach for anything. */
export function isTest(path: string): boolean {
  return tests.some((glob) => matchesGlob(path, glob))
}

export function nameViolations({ path }: Pick<SourceFile, 'path'>): string[] {
  const folders = path.split('/')
  const fileName = folders.pop()!
  const violations = folders
    .filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    .map((name) => `"${name}" is not kebab-case`)
  for (const name of [...folders, fileName]) {
    const word = name.replace(/(\.(test|config|d))?\.[a-z]+$/, '')
    if (forbiddenNames.includes(word)) violations.push(`"${name}" does not say what it holds`)
  }
  const isPackageIndex = /^(packages\/[^/]+|apps\/[^/]+|simulators)\/index\.ts$/.test(path)
  if (fileName === 'index.ts' && !isPackageIndex) violations.push('only a package has an index.ts of its own')
  return violations
}

/** Folders with more files than one looks through; tests, which stand beside their sources, do not count. */
export function folderViolations(paths: readonly string[]): { folder: string; files: number }[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = posix.dirname(path)
    if (!isTest(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const violations = [...counts].filter(([, files]) => files > maxFilesPerFolder)
  return violations.map(([folder, files]) => ({ folder, files }))
}

export function lineViolations({ text }: Pick<SourceFile, 'text'>): string[] {
  return text.split('\n').flatMap((line, index) => {
    const isLong = line.length > maxLineLength
    return isLong ? [`line ${index + 1} has ${line.length} characters; at most ${maxLineLength}`] : []
  })
}

/** Functions of tests over the limit. A group of tests is none. */
export function testFunctionViolations(file: SourceFile): string[] {
  if (!isTest(file.path)) return []
  const violations: string[] = []
  const groups = new Set<number>()
  const check = (node: { start: number; end: number }): void => {
    const first = lineAt(file.text, node.start)
    const lines = lineAt(file.text, node.end) - first + 1
    if (lines > maxFunctionLines && !groups.has(node.start)) {
      violations.push(`the function at line ${first} has ${lines} lines; at most ${maxFunctionLines}`)
    }
  }
  new Visitor({
    CallExpression(node) {
      if (!/^(\w*describe|onEach)/i.test(file.text.slice(node.start, node.end))) return
      for (const argument of node.arguments) groups.add(argument.start)
    },
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  }).visit(parse(file).program)
  return violations
}

/** Imports of another workspace by a path, which passes by what package.json and oxlint.config.ts say. */
export function pathViolations(file: SourceFile): string[] {
  const own = workspaceOf(file.path)
  if (own === undefined || isTest(file.path)) return []
  return importsOf(file).flatMap(({ from, line }) => {
    const target = from.startsWith('.') ? resolvePath(file.path, from) : file.path
    if (workspaceOf(target) === own || target === 'package.json') return []
    return [`line ${line} imports ${from}: another workspace is imported by its name, not by its path`]
  })
}

/** `packages/gateway`, `simulators`; undefined for a file of the root or of bin. */
function workspaceOf(path: string): string | undefined {
  return /^((packages|apps)\/[^/]+|simulators|bench)(?=\/)/.exec(path)?.[0]
}

export function resolvePath(from: string, relative: string): string {
  const segments = from.split('/').slice(0, -1)
  for (const segment of relative.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

export function importsOf(file: SourceFile): Import[] {
  const { staticImports, staticExports, dynamicImports } = parse(file).module
  const found = [
    ...staticImports.map(({ start, moduleRequest }) => ({ start, from: moduleRequest.value })),
    ...staticExports.flatMap(({ start, entries }) => {
      const [from] = entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])
      return from === undefined ? [] : [{ start, from }]
    }),
    ...dynamicImports.map(({ start, moduleRequest }) => ({
      start,
      from: file.text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
    })),
  ]
  return found.map(({ start, from }) => ({ from, line: lineAt(file.text, start) }))
}

const parsed = new WeakMap<SourceFile, ReturnType<typeof parseSync>>()

function parse(file: SourceFile): ReturnType<typeof parseSync> {
  const known = parsed.get(file)
  if (known !== undefined) return known
  const result = parseSync(file.path, file.text)
  if (result.errors.length > 0) throw new Error(`${file.path}: ${result.errors[0]!.message}`)
  parsed.set(file, result)
  return result
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
