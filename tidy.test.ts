import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { citationViolations, contractSections } from './tidy-citations.ts'
import { formatFolderViolations, formatViolations } from './tidy-formats.ts'
import { linkViolations } from './tidy-links.ts'
import {
  environmentViolations,
  fetchViolations,
  functionViolations,
  importCircles,
  importViolations,
  lengthViolations,
  nameViolations,
  roomViolations,
  type SourceFile,
} from './tidy-rules.ts'

const root = import.meta.dirname
const folders = ['apps', 'packages', 'simulators', 'bench', 'bin', 'packaging']
const skipped = new Set(['node_modules', '.runtime', '.cache', 'dist', 'results', 'peers'])

/** What may break a rule, and why. A line here is a debt: it names who would pay it off. */
const exceptions: { path: RegExp; rule: string; reason: string }[] = [
  {
    path: /^packages\/api\/schema\.ts$/,
    rule: 'lengths',
    reason: 'written from the OpenAPI document, as long as that is',
  },
]

const sections = contractSections(readFileSync(join(root, 'docs', 'contract.md'), 'utf8'))

const rules: Record<string, (file: SourceFile) => string[]> = {
  citations: (file) => citationViolations(file, sections),
  names: nameViolations,
  lengths: lengthViolations,
  functions: functionViolations,
  imports: importViolations,
  formats: formatViolations,
  rooms: roomViolations,
  environment: environmentViolations,
  fetch: fetchViolations,
}

const files = [...folders.flatMap((folder) => sourcesIn(join(root, folder))), ...rootSources()]

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else yield path
  }
}

function sourcesIn(folder: string): SourceFile[] {
  return [...filesIn(folder)].filter((path) => /\.(ts|tsx|js)$/.test(path)).map(sourceAt)
}

function rootSources(): SourceFile[] {
  return readdirSync(root)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => sourceAt(join(root, name)))
}

function sourceAt(path: string): SourceFile {
  return { path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }
}

describe('every source keeps the house rules', () => {
  test.each(Object.keys(rules))('%s', (rule) => {
    const violations = files
      .filter(({ path }) => !exceptions.some((one) => one.rule === rule && one.path.test(path)))
      .flatMap((file) => rules[rule]!(file).map((violation) => `${file.path}: ${violation}`))
    expect(violations).toEqual([])
  })

  test('no files import each other in a circle', () => expect(importCircles(files)).toEqual([]))

  test('the folder of each wire format is laid out as all are', () => {
    expect(formatFolderViolations(files.map(({ path }) => path))).toEqual([])
  })

  test('every exception is still needed', () => {
    const needless = exceptions.filter(
      ({ path, rule }) => !files.some((file) => path.test(file.path) && rules[rule]!(file).length > 0),
    )
    expect(needless.map(({ path, rule }) => `${path} ${rule}`)).toEqual([])
  })
})

test('every dependency has its line in docs/dependencies.md', () => {
  const told = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8')
  const manifests = [
    join(root, 'package.json'),
    ...folders.flatMap((folder) => [...filesIn(join(root, folder))]),
  ]
  const names = new Set(
    manifests
      .filter((path) => /(^|[\\/])package\.json$/.test(path))
      .flatMap((path) => {
        const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<
          string,
          Record<string, string> | undefined
        >
        const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
        return kinds.flatMap((kind) => Object.entries(manifest[kind] ?? {}))
      })
      .map(([name, version]) => {
        expect(version, `${name} has an exact version`).toMatch(/^\d+\.\d+\.\d+/)
        return name
      })
      .filter((name) => !name.startsWith('@turnpike/')),
  )
  expect([...names].filter((name) => !told.includes(`| \`${name}\``))).toEqual([])
  const rows = [...told.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!)
  expect(rows.filter((name) => !names.has(name))).toEqual([])
})

test('the links of every page lead somewhere', () => {
  const inRoot = readdirSync(root).map((name) => join(root, name))
  const paths = [
    ...inRoot,
    ...['docs', ...folders, 'deploy'].flatMap((name) => [...filesIn(join(root, name))]),
  ]
  const pages = paths.filter((path) => path.endsWith('.md')).map(sourceAt)
  expect(linkViolations(pages, (path) => existsSync(join(root, path)))).toEqual([])
})

/** Source, what should be said of it; undefined where nothing. */
const imports: [string, string, string | undefined][] = [
  ['packages/protocol/a.ts', `import { x } from '@turnpike/dialects'`, 'packages/protocol may not'],
  ['packages/dialects/a.ts', `import type { X } from '@turnpike/protocol'`, undefined],
  ['packages/dialects/a.ts', `import type { X } from '@turnpike/gateway'`, 'packages/dialects may not'],
  ['packages/billing/a.ts', `export * from '@turnpike/identity'`, 'packages/billing may not'],
  ['packages/billing/a.ts', `const x = await import('@turnpike/storage')`, 'packages/billing may not'],
  ['packages/gateway/a.ts', `import { x } from '@turnpike/http'`, 'packages/gateway may not'],
  ['packages/gateway/a.ts', `import { x } from '@turnpike/vendors'`, undefined],
  ['packages/gateway/a.test.ts', `import { x } from '@turnpike/storage'`, undefined],
  ['packages/storage/a.ts', `import { x } from '@turnpike/http'`, 'packages/storage may not'],
  ['packages/unknown/a.ts', `import { x } from '@turnpike/http'`, 'packages/unknown may not'],
  ['packages/http/a.ts', `import { x } from '@turnpike/storage'`, 'packages/http may not'],
  ['apps/server/a.ts', `import { x } from '@turnpike/storage'`, undefined],
  ['apps/dashboard/a.ts', `import type { X } from '@turnpike/api'`, undefined],
  ['apps/dashboard/a.ts', `import { x } from '@turnpike/api'`, 'apps/dashboard may not'],
  ['simulators/a.ts', `import { type X } from '@turnpike/gateway'`, undefined],
  ['simulators/a.ts', `import { type X, y } from '@turnpike/gateway'`, 'simulators may not'],
  ['packages/gateway/a.ts', `import { x } from '../billing/index.ts'`, 'by its name, not by its path'],
  ['packages/gateway/a.ts', `import { x } from './b'`, 'ends in .ts'],
  ['packages/gateway/steps/a.ts', `import { x } from '../context/stages.ts'`, undefined],
  ['packages/gateway/a.ts', `import { Kysely } from 'kysely'`, 'only storage knows SQL'],
  ['packages/gateway/a.ts', `import { DatabaseSync } from 'node:sqlite'`, 'only storage knows SQL'],
  ['packages/storage/a.ts', `import { Kysely } from 'kysely'`, undefined],
  ['packages/http/a.ts', `import { Pool } from 'undici'`, 'only gateway/upstream has an HTTP client'],
  ['packages/gateway/upstream/a.ts', `import { Pool } from 'undici'`, undefined],
  ['packages/gateway/a.ts', `import { createServer } from 'node:http'`, 'only http and apps/server'],
  ['packages/gateway/a.ts', `import type { IncomingMessage } from 'node:http'`, undefined],
  ['packages/http/a.ts', `import { createServer } from 'node:http'`, 'process.getBuiltinModule'],
  ['packages/http/a.ts', `import type { Server } from 'node:http'`, undefined],
]

/** Paths within packages/dialects: who imports whom, and what should be said of it. */
const formatImports: [string, string, string | undefined][] = [
  ['a-chat/vendor/request.ts', '../../b-chat/vendor/request.ts', 'a-chat is no variation of b-chat'],
  ['a-chat/caller/request.ts', '../../requests/references.ts', undefined],
  ['requests/references.ts', '../a-chat/caller/request.ts', 'knows none of them'],
  ['bridge.ts', './a-chat/caller/answer.ts', 'knows none of them'],
  ['registry.ts', './a-chat/vendor.ts', undefined],
  ['testing/suite.ts', '../a-chat/vendor.ts', undefined],
  ['mistral-chat/vendor/request.ts', '../../openai-chat/vendor/body.ts', undefined],
  [
    'openai-chat/vendor/request.ts',
    '../../mistral-chat/vendor/request.ts',
    'is no variation of mistral-chat',
  ],
  ['mistral-chat/vendor/request.ts', '../../openai-chat/caller/request.ts', 'may not know caller/'],
  ['a-chat/caller/answer.ts', '../vendor/usage.ts', 'caller may not know vendor/'],
  ['a-chat/vendor/stream.ts', '../caller/request.ts', 'vendor may not know caller/'],
  ['a-chat/vendor.ts', './pass-through/stream.ts', 'vendor may not know pass-through/'],
  ['a-chat/caller/stream.ts', '../pass-through/answer.ts', 'caller may not know pass-through/'],
  ['a-chat/caller.ts', './pass-through/stream.ts', undefined],
  ['a-chat/pass-through/stream.ts', '../vendor/stream.ts', undefined],
  ['a-chat/pass-through/stream.ts', '../caller/usage.ts', undefined],
  ['a-chat/vendor/stream.ts', '../finish-reason.ts', undefined],
  ['a-chat/finish-reason.ts', './vendor/stream.ts', 'what both sides speak may not know vendor/'],
]

/** The same, of what is within one part. */
const roomImports: [string, string, string | undefined][] = [
  ['packages/gateway/steps/a.ts', `import { x } from '../context/stages.ts'`, undefined],
  ['packages/gateway/steps/a.ts', `import { x } from './b.ts'`, undefined],
  ['packages/gateway/upstream/media/a.ts', `import { x } from '../client.ts'`, undefined],
  ['packages/gateway/context/a.ts', `import { x } from '../steps/b.ts'`, 'steps is above context'],
  ['packages/gateway/answer/a.ts', `import type { X } from '../attempts/b.ts'`, 'attempts is above answer'],
  ['packages/gateway/steps/a.ts', `import { serve } from '../pipeline.ts'`, 'pipeline.ts is above steps'],
  ['packages/gateway/operations/a.ts', `const x = import('../auto/b.ts')`, 'auto is above operations'],
  ['packages/gateway/steps/a.test.ts', `import { serve } from '../pipeline.ts'`, undefined],
  ['packages/gateway/a.ts', '', 'has no such room'],
  ['packages/billing/a.ts', '', undefined],
]

const environments: [string, string, boolean][] = [
  ['packages/http/a.ts', 'const x = process.env.HOME', true],
  ['packages/http/a.ts', `const x = process['env']`, true],
  ['packages/http/a.ts', 'const x = process?.env', true],
  ['packages/http/a.ts', 'const { env } = process', true],
  ['packages/http/a.ts', `import { env } from 'node:process'`, true],
  ['packages/http/a.ts', '// process.env is read elsewhere', false],
  ['packages/http/a.ts', 'const x = process.environment', false],
  ['packages/http/a.test.ts', 'const x = process.env.HOME', false],
  ['apps/server/a.ts', 'const x = process.env.HOME', false],
  ['simulators/vendor/server.ts', 'const x = process.env.HOME', true],
]

describe('the rules catch what they should', () => {
  test.each(imports)('%s: %s', (path, text, expected) => {
    const violations = importViolations({ path, text })
    if (expected === undefined) expect(violations).toEqual([])
    else expect(violations.join('\n')).toContain(expected)
  })

  test.each(formatImports)('in packages/dialects, %s imports %s', (path, from, expected) => {
    const violations = formatViolations({
      path: `packages/dialects/${path}`,
      text: `import { x } from '${from}'`,
    })
    if (expected === undefined) expect(violations).toEqual([])
    else expect(violations.join('\n')).toContain(expected)
  })

  test.each(roomImports)('%s: %s', (path, text, expected) => {
    const violations = roomViolations({ path, text })
    if (expected === undefined) expect(violations).toEqual([])
    else expect(violations.join('\n')).toContain(expected)
  })

  test('folders of wire formats', () => {
    const said = (...paths: string[]): string[] =>
      formatFolderViolations(paths.map((path) => `packages/dialects/${path}`))
    const six = ['request', 'answer', 'stream', 'usage', 'errors', 'fields']
    const vendor = six.map((name) => `a-chat/vendor/${name}.ts`)
    expect(said('a-chat/vendor.ts', ...vendor, 'a-chat/testing/any.ts', 'json/scan.ts')).toEqual([])
    expect(said('a-chat/vendor.ts', ...vendor.slice(1))).toEqual([
      'packages/dialects/a-chat/vendor has no request.ts',
    ])
    expect(said('a-chat/vendor.ts', 'a-chat/caller.ts', ...vendor)).toHaveLength(9)
    expect(said('a-chat/stream.ts')).toEqual(['packages/dialects/a-chat has neither caller.ts nor vendor.ts'])
    expect(said('a-chat/vendor.ts', ...vendor, 'a-chat/caller/request.ts')).toEqual([
      'packages/dialects/a-chat/caller belongs to no side of it',
    ])
    expect(said('mistral-chat/vendor.ts', 'mistral-chat/vendor/request.ts')).toEqual([])
  })

  test.each(environments)('%s: %s', (path, text, isViolation) => {
    expect(environmentViolations({ path, text }).length > 0).toBe(isViolation)
  })

  test.each([
    ['packages/a/goodName.ts', true],
    ['packages/a/utils.ts', true],
    ['packages/a/utils/text.ts', true],
    ['packages/a/sub/index.ts', true],
    ['packages/a/index.ts', false],
    ['packages/a/api-key.test.ts', false],
    ['packages/storage/migrations/0001-accounts.ts', false],
    ['vitest.config.ts', false],
  ])('the name %s', (path, isViolation) => expect(nameViolations({ path }).length > 0).toBe(isViolation))

  test('long files, lines and functions', () => {
    const lines = (count: number): string => '  x()\n'.repeat(count)
    expect(lengthViolations({ text: lines(400) })).toEqual([])
    expect(lengthViolations({ text: lines(401) })).toHaveLength(1)
    expect(lengthViolations({ text: 'x'.repeat(111) })).toEqual(['line 1 has 111 characters; at most 110'])
    const inFile = (path: string, text: string): number => functionViolations({ path, text }).length
    expect(inFile('a.ts', `function f() {\n${lines(68)}}\n`)).toBe(0)
    expect(inFile('a.ts', `function f() {\n${lines(69)}}\n`)).toBe(1)
    expect(inFile('a.ts', `const f = () => {\n${lines(69)}}\n`)).toBe(1)
    expect(inFile('a.ts', `class A {\n  m() {\n${lines(69)}}\n}\n`)).toBe(1)
    expect(inFile('a.test.ts', `describe('x', () => {\n${lines(69)}})\n`)).toBe(0)
    expect(inFile('a.test.ts', `test('x', () => {\n${lines(69)}})\n`)).toBe(1)
  })

  test.each([
    ['/** Holds (docs/contract.md, 4.5). */', undefined],
    ['/**\n * Holds (docs/contract.md,\n * 2 and 4.5).\n */', undefined],
    ['/** Holds (docs/contract.md, 4.51). */', 'there is no section 4.51'],
    ['/** Holds (docs/contract.md, 2 and 99). */', 'there is no section 99'],
    ['/** As docs/contract.md has it. */', 'without a section'],
    ['/** Holds (contract,\n * section 4.5). */', 'not in this repository'],
    ['// The specification, section 2', 'not in this repository'],
    ['// As issue 22 asks for', 'not in this repository'],
    ['// RFC 6749, section 5.2; https://github.com/a/b/issues/22', undefined],
  ])('the citation %j', (text, expected) => {
    const violations = citationViolations({ path: 'packages/a/b.ts', text }, new Set(['2', '4.5']))
    if (expected === undefined) expect(violations).toEqual([])
    else expect(violations.join('\n')).toContain(expected)
  })

  test('links', () => {
    const text =
      '# A `b` c\n\n[1](#a-b-c) [2](#a) [3](c.md) [4](../x/) [5](https://x.test/y)\n\n```\n[6](no.md)\n```\n'
    const page = { path: 'docs/a.md', text }
    expect(linkViolations([page], (path) => ['docs/a.md', 'x/'].includes(path))).toEqual([
      'docs/a.md links to #a: docs/a.md has no such heading',
      'docs/a.md links to c.md: there is no docs/c.md',
    ])
  })

  test('the sections of the contract', () => {
    expect(contractSections('# The contract\n\n## 2. Errors\n\n### 4.5 Holds\n\n4.6 no')).toEqual(
      new Set(['2', '4.5']),
    )
  })

  test('circles of imports', () => {
    const files = [
      { path: 'packages/a/one.ts', text: `import { two } from './sub/two.ts'` },
      { path: 'packages/a/sub/two.ts', text: `import type { One } from '../one.ts'` },
      { path: 'packages/a/three.ts', text: `import './one.ts'\nconst four = import('./four.ts')` },
      { path: 'packages/a/four.ts', text: `import './three.ts'` },
    ]
    expect(importCircles(files)).toEqual(['packages/a/one.ts -> packages/a/sub/two.ts -> packages/a/one.ts'])
  })

  test('fetch', () => {
    expect(fetchViolations({ path: 'packages/http/a.ts', text: `await fetch('http://x')` })).toHaveLength(1)
    expect(fetchViolations({ path: 'packages/http/a.ts', text: `await store.fetch('x')` })).toEqual([])
  })
})

test('every package, the chart and the changelog are of one version', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const manifests = ['apps', 'packages', 'simulators', 'bench']
    .flatMap((folder) => [...filesIn(join(root, folder))])
    .map((path) => relative(root, path).replaceAll('\\', '/'))
    .filter((path) => /^(?:(?:apps|packages)\/[^/]+|simulators|bench)\/package\.json$/.test(path))
  const others = manifests.filter((path) => !read(path).includes(`\n  "version": "${version}",`))
  expect(others).toEqual([])
  expect(read('package-lock.json').split('\n')[2]).toBe(`  "version": "${version}",`)
  expect(read('deploy/helm/turnpike/Chart.yaml')).toMatch(
    new RegExp(`^version: ${version}\nappVersion: '${version}'$`, 'm'),
  )
  expect(/^## \[(\d[^\]]*)\]/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})
