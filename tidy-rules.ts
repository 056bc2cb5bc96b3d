import { parseSync, Visitor } from 'oxc-parser'

/* The house rules that a reader of one file can check. Each answers sentences, one a violation. */

export interface SourceFile {
  /** From the root, with `/`: `packages/gateway/pipeline.ts`. */
  path: string
  text: string
}

interface Import {
  from: string
  typeOnly: boolean
  /** Loaded while it runs, when it is wanted. */
  isLazy: boolean
  line: number
}

const everything = '*'

/** What each part may import from others (docs: ARCHITECTURE.md). */
const mayImport: Record<string, readonly string[]> = {
  'packages/protocol': [],
  'packages/api': [],
  'packages/mcp': ['api', 'type identity'],
  'packages/dialects': ['protocol'],
  'packages/vendors': ['dialects', 'protocol'],
  'packages/routing': ['dialects', 'protocol'],
  'packages/limits': ['dialects', 'protocol'],
  'packages/billing': ['dialects', 'protocol'],
  'packages/notify': ['protocol'],
  'packages/identity': ['dialects', 'protocol', 'type billing'],
  'packages/gateway': ['routing', 'vendors', 'limits', 'billing', 'identity', 'dialects', 'protocol'],
  'packages/http': [
    'gateway',
    'routing',
    'vendors',
    'limits',
    'billing',
    'identity',
    'dialects',
    'protocol',
    'notify',
    'mcp',
    'api',
  ],
  'packages/storage': ['billing', 'identity', 'limits', 'gateway', 'notify', 'protocol'],
  'apps/server': [everything],
  'apps/cli': ['mcp', 'api'],
  'apps/dashboard': ['type api'],
  simulators: ['type gateway', 'protocol'],
  bench: [everything],
}

/**
 * The rooms of a part from the top down, folders and loose files: each imports from those below it alone
 * (docs: ARCHITECTURE.md).
 */
const rooms: Record<string, readonly string[]> = {
  'packages/gateway': [
    'index.ts',
    'endpoints.ts',
    'google-endpoints.ts',
    'pipeline.ts',
    'count-tokens.ts',
    'kept-endpoints.ts',
    'models',
    'steps',
    'attempts',
    'answer',
    'outbound',
    'metering',
    'context',
    'records',
    'prompt-log',
    'kept',
    'auto',
    'operations',
    'candidates',
    'upstream',
    'services',
    'body',
  ],
}

/** Modules that belong to some parts alone. */
const owners: { modules: RegExp; owners: RegExp; what: string }[] = [
  {
    modules: /^(kysely|pg|node:sqlite|better-sqlite3)(\/|$)/,
    owners: /^packages\/storage\//,
    what: 'only storage knows SQL',
  },
  {
    modules: /^undici(\/|$)/,
    owners: /^(packages\/gateway\/upstream|apps\/cli\/network|bench)\//,
    what: 'only gateway/upstream has an HTTP client (and the command line, which is a client)',
  },
  {
    modules: /^(node:(http|https|http2)|fastify|@fastify\/.*)$/,
    // The command line is a client, and `fetch` takes four times as long to load.
    owners: /^(packages\/http|apps\/server|apps\/cli\/network|simulators|bench)\//,
    what: 'only http and apps/server have an HTTP server (and the simulators, which stand for other servers)',
  },
  {
    modules: /^(@aws-sdk\/.*|google-auth-library|@azure\/identity)$/,
    owners: /^apps\/server\/credentials\//,
    what: 'only what asks for credentials knows a cloud, and loads it where it is configured',
  },
  {
    modules: /^@smithy\/signature-v4$/,
    owners: /^packages\/gateway\/upstream\/credentials\//,
    what: 'only credentials sign',
  },
  {
    modules: /^node:https?$/,
    // The command line takes it by `require` where it is bundled.
    owners: /^(apps\/server\/(testing|torture)|apps\/cli\/network|simulators\/(checkout|clouds)|bench)\//,
    what: 'an import of it loads fetch, 50 ms of a start: process.getBuiltinModule takes it as it is',
  },
]

const maxFileLines = 400
const maxFunctionLines = 70
const maxLineLength = 110
const forbiddenNames = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'lib']

/** Tests and what only they use: they may reach for anything. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /(^|\/)(testing|conformance|torture|chaos)\//.test(path)
}

export function nameViolations({ path }: Pick<SourceFile, 'path'>): string[] {
  const violations: string[] = []
  const segments = path.split('/')
  const fileName = segments.at(-1)!
  for (const segment of segments) {
    const name = segment.replace(/(\.(test|config|d))?\.[a-z]+$/, '')
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && !/^\d{3,}_/.test(name))
      violations.push(`"${segment}" is not kebab-case`)
    if (forbiddenNames.includes(name)) violations.push(`"${segment}" does not say what it holds`)
  }
  const isPackageIndex = /^(packages\/[^/]+|apps\/[^/]+|simulators)\/index\.ts$/.test(path)
  if (fileName === 'index.ts' && !isPackageIndex) violations.push('only a package has an index.ts of its own')
  return violations
}

export function lengthViolations({ text }: Pick<SourceFile, 'text'>): string[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const violations = lines.length > maxFileLines ? [`${lines.length} lines; at most ${maxFileLines}`] : []
  for (const [index, line] of lines.entries()) {
    if (line.length > maxLineLength)
      violations.push(`line ${index + 1} has ${line.length} characters; at most ${maxLineLength}`)
  }
  return violations
}

/** Functions over the limit. A group of tests is none. */
export function functionViolations(file: SourceFile): string[] {
  const violations: string[] = []
  const groups = new Set<number>()
  const check = (node: { start: number; end: number }): void => {
    const first = lineAt(file.text, node.start)
    const lines = lineAt(file.text, node.end) - first + 1
    if (lines > maxFunctionLines && !groups.has(node.start)) {
      violations.push(`the function at line ${first} has ${lines} lines; at most ${maxFunctionLines}`)
    }
  }
  visit(file, {
    CallExpression(node) {
      if (!isTest(file.path) || !/^(\w*describe|onEach)/i.test(file.text.slice(node.start, node.end))) return
      for (const argument of node.arguments) groups.add(argument.start)
    },
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  })
  return violations
}

/** Only apps/* reads `process.env`, since what a part needs is passed in; what is run by hand may too. */
export function environmentViolations(file: SourceFile): string[] {
  if (
    isTest(file.path) ||
    /^(apps|bench|bin)\//.test(file.path) ||
    /^simulators\/.*\bmain\.ts$/.test(file.path)
  )
    return []
  const violations: string[] = []
  const note = (start: number): void => {
    violations.push(`line ${lineAt(file.text, start)} reads process.env, which only apps/* may`)
  }
  visit(file, {
    MemberExpression(node) {
      if (
        /^process\s*(\?\.|\.)?\s*(env\b|\[\s*['"]env['"]\s*\])/.test(file.text.slice(node.start, node.end))
      ) {
        if (node.object.type === 'Identifier') note(node.start)
      }
    },
    VariableDeclarator(node) {
      const value = node.init
      if (value?.type !== 'Identifier' || value.name !== 'process' || node.id.type !== 'ObjectPattern') return
      if (/\benv\b/.test(file.text.slice(node.id.start, node.id.end))) note(node.start)
    },
    ImportSpecifier(node) {
      if (file.text.slice(node.imported.start, node.imported.end) !== 'env') return
      if (importsOf(file).some((one) => /^(node:)?process$/.test(one.from))) note(node.start)
    },
  })
  return violations
}

export function importViolations(file: SourceFile): string[] {
  const part = partOf(file.path)
  if (part === undefined) return []
  const violations: string[] = []
  for (const found of importsOf(file)) {
    const say = (what: string): void => {
      violations.push(`line ${found.line} imports ${found.from}: ${what}`)
    }
    if (found.from.startsWith('.')) {
      const target = resolvePath(file.path, found.from)
      if (partOf(target) !== part && target !== 'package.json' && !isTest(file.path))
        say('another part is imported by its name, not by its path')
      if (!/\.(ts|tsx|js|json|css|svg)$/.test(found.from)) say('the name of a file ends in .ts')
      continue
    }
    if (isTest(file.path)) continue
    if (!mayImportFrom(part, found)) say(`${part} may not`)
    for (const { modules, owners: home, what } of owners) {
      if (modules.test(found.from) && !home.test(file.path) && !found.typeOnly) say(what)
    }
  }
  return violations
}

/** Imports that go up, from a room to one above it; and files that stand in no room. */
export function roomViolations(file: SourceFile): string[] {
  const part = partOf(file.path)
  const ofPart = part === undefined ? undefined : rooms[part]
  if (part === undefined || ofPart === undefined || isTest(file.path)) return []
  const own = ofPart.indexOf(roomOf(file.path, part))
  if (own === -1) return [`${part} has no such room; its rooms are ${ofPart.join(', ')}`]
  return importsOf(file).flatMap(({ from, line }) => {
    if (!from.startsWith('.')) return []
    const room = roomOf(resolvePath(file.path, from), part)
    const isBelow = ofPart.indexOf(room) >= own
    return isBelow ? [] : [`line ${line} imports ${from}: ${room} is above ${ofPart[own]}`]
  })
}

/** `steps` of `packages/gateway/steps/settle.ts`; a loose file is a room of its own. */
function roomOf(path: string, part: string): string {
  return path.slice(part.length + 1).split('/')[0]!
}

/** A client by another door: the global `fetch`. */
export function fetchViolations(file: SourceFile): string[] {
  if (isTest(file.path) || !/^(packages|apps\/server)\//.test(file.path)) return []
  const violations: string[] = []
  visit(file, {
    CallExpression(node) {
      if (!/^(globalThis\.)?fetch$/.test(file.text.slice(node.callee.start, node.callee.end))) return
      violations.push(
        `line ${lineAt(file.text, node.start)} calls fetch: only gateway/upstream has an HTTP client`,
      )
    },
  })
  return violations
}

/**
 * Files that import each other in a circle, types included: none of them can be read without the others.
 * What is loaded lazily is no import of the reader's.
 */
export function importCircles(files: readonly SourceFile[]): string[] {
  const importsByPath = new Map(
    files.map((file) => {
      const near = importsOf(file).filter(({ from, isLazy }) => from.startsWith('.') && !isLazy)
      return [file.path, near.map(({ from }) => resolvePath(file.path, from))]
    }),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (path: string, way: readonly string[]): void => {
    const begin = way.indexOf(path)
    if (begin !== -1) circles.push([...way.slice(begin), path].join(' -> '))
    if (begin !== -1 || done.has(path)) return
    for (const next of importsByPath.get(path) ?? []) walk(next, [...way, path])
    done.add(path)
  }
  for (const path of importsByPath.keys()) walk(path, [])
  return circles
}

function mayImportFrom(part: string, { from, typeOnly }: Import): boolean {
  const [, name] = /^@turnpike\/([^/]+)/.exec(from) ?? []
  const allowed = mayImport[part]
  if (name === undefined || allowed === undefined || part.endsWith(`/${name}`)) return allowed !== undefined
  if (allowed.includes(everything) || allowed.includes(name)) return true
  return typeOnly && allowed.includes(`type ${name}`)
}

/** `packages/gateway`, `simulators`; undefined for a file of the root or of bin. */
function partOf(path: string): string | undefined {
  const [top, second] = path.split('/')
  if (top === 'packages' || top === 'apps') return `${top}/${second}`
  return top === 'simulators' || top === 'bench' ? top : undefined
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
  const { module } = parse(file)
  const { text } = file
  const imports: Import[] = []
  for (const { start, moduleRequest, entries } of module.staticImports) {
    const typeOnly = entries.length > 0 && entries.every((entry) => entry.isType)
    imports.push({ from: moduleRequest.value, typeOnly, isLazy: false, line: lineAt(text, start) })
  }
  for (const { start, entries } of module.staticExports) {
    const [source] = entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])
    const typeOnly = entries.every((entry) => entry.isType)
    if (source !== undefined)
      imports.push({ from: source, typeOnly, isLazy: false, line: lineAt(text, start) })
  }
  for (const { start, moduleRequest } of module.dynamicImports) {
    const from = text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, '')
    imports.push({ from, typeOnly: false, isLazy: true, line: lineAt(text, start) })
  }
  return imports
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

function visit(file: SourceFile, visitor: ConstructorParameters<typeof Visitor>[0]): void {
  new Visitor(visitor).visit(parse(file).program)
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let index = text.indexOf('\n'); index !== -1 && index < offset; index = text.indexOf('\n', index + 1))
    line++
  return line
}
