import { matchesGlob, posix } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { tests } from './oxlint.config.ts'

/*
 * The house rules for single files that oxlint.config.ts cannot express. Each rule returns one sentence per
 * violation.
 *
 * - Names: oxlint checks the case of file names, but not of folders, and has no list of forbidden words.
 * - Lines: oxlint has no limit on the length of a line, and oxfmt does not wrap comments and strings.
 * - Folders: oxlint sees one file at a time.
 * - Functions of tests: `max-lines-per-function` treats a `describe` group as a function.
 * - Imports across workspaces: oxlint compares an import as written, and does not resolve it to a file.
 */

export interface SourceFile {
  /** Path from the root, with `/`: `packages/gateway/pipeline.ts`. */
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

/** Tests and code that only tests use: they may import anything. */
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

/** Folders with too many files for an overview. Tests, which are next to their sources, do not count. */
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

/** Functions in tests that exceed the limit. A `describe` group does not count as a function. */
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

/** Imports of another workspace by a relative path, which bypass package.json and oxlint.config.ts. */
export function pathViolations(file: SourceFile): string[] {
  const own = workspaceOf(file.path)
  if (own === undefined || isTest(file.path)) return []
  return importsOf(file).flatMap(({ from, line }) => {
    const target = from.startsWith('.') ? resolvePath(file.path, from) : file.path
    if (workspaceOf(target) === own || target === 'package.json') return []
    return [`line ${line} imports ${from}: another workspace is imported by its name, not by its path`]
  })
}

/** `packages/gateway`, `simulators`; undefined for a file in the root or in bin. */
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
