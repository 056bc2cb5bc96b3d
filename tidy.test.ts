import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { citationViolations, contractSections } from './tidy-citations.ts'
import { formatFolderViolations, formatViolations } from './tidy-formats.ts'
import { linkViolations } from './tidy-links.ts'
import {
  folderViolations,
  lineViolations,
  nameViolations,
  pathViolations,
  type SourceFile,
  testFunctionViolations,
} from './tidy-rules.ts'

const root = import.meta.dirname
const folders = ['apps', 'packages', 'simulators', 'bench', 'tests', 'tools', 'bin', 'packaging']
const skipped = new Set(['node_modules', '.runtime', '.cache', 'dist', 'results', 'peers'])

/** What may break a rule, and why. Each line is a debt, and its reason names who would pay it off. */
const exceptions: { path: RegExp; rule: string; reason: string }[] = [
  {
    path: /^packages\/api\/schema\.ts$/,
    rule: 'lines',
    reason: 'written from the OpenAPI document, as long as that is',
  },
]

/** Folders that may have more files than the limit, and why. */
const fullFolders: Record<string, string> = {
  'apps/dashboard/api': 'each file is one list of queries, or one thing known of the account',
  'apps/dashboard/components': 'small parts that many pages share, each found by its name',
  'apps/dashboard/pages/requests': 'one page: the list, a request, and the panels of each',
  'apps/dashboard/pages/usage': 'one page: each file is a part that is seen on it',
  'apps/server/metrics': 'each file is one group of metrics',
  'packages/api': 'each file is the shape of one resource',
  'packages/dialects/answers': 'each file is one thing that several formats do to an answer',
  'packages/dialects/anthropic-messages/caller': 'laid out as all formats are, and what only this one has',
  'packages/dialects/google-generate/caller': 'laid out as all formats are, and what only this one has',
  'packages/dialects/google-generate/vendor': 'laid out as all formats are, and what only this one has',
  'packages/dialects/requests': 'each file is one thing that several formats do to a request',
  'packages/gateway/steps': 'each file is one step of a request',
  'packages/http/management/openapi/compatible': 'each file is one endpoint that vendors have as well',
  'packages/protocol': 'each file is one word that all packages share',
  'packages/routing/scoring': 'one pass over a prompt: each file is a part of it',
  'packages/storage/migrations': 'one file per version of the schema, never changed',
  'packages/vendors/facts': 'one file per vendor',
  'packages/vendors/vendors': 'one file per vendor',
}

const sections = contractSections(readFileSync(join(root, 'docs', 'contract.md'), 'utf8'))

const rules: Record<string, (file: SourceFile) => string[]> = {
  citations: (file) => citationViolations(file, sections),
  names: nameViolations,
  lines: lineViolations,
  'functions of tests': testFunctionViolations,
  'ways out of a workspace': pathViolations,
  formats: formatViolations,
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

  test('the folder of each wire format has the common layout', () => {
    expect(formatFolderViolations(files.map(({ path }) => path))).toEqual([])
  })

  test('every folder with too many files has a reason', () => {
    const full = folderViolations(files.map(({ path }) => path))
    expect(full.filter(({ folder }) => !Object.hasOwn(fullFolders, folder))).toEqual([])
    expect(Object.keys(fullFolders).filter((name) => !full.some(({ folder }) => folder === name))).toEqual([])
  })

  test('every exception is still needed', () => {
    const needless = exceptions.filter(
      ({ path, rule }) => !files.some((file) => path.test(file.path) && rules[rule]!(file).length > 0),
    )
    expect(needless.map(({ path, rule }) => `${path} ${rule}`)).toEqual([])
  })
})

test('every dependency has a line in docs/dependencies.md', () => {
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
      .filter(([name, version]) => {
        // Checks that it is a workspace, whatever its version: else npm would look for it in a registry.
        const isOurs = name.startsWith('@turnpike/')
        expect(version, `the version of ${name}`).toMatch(isOurs ? /^\*$/ : /^\d+\.\d+\.\d+/)
        return !isOurs
      })
      .map(([name]) => name),
  )
  expect([...names].filter((name) => !told.includes(`| \`${name}\``))).toEqual([])
  const rows = [...told.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!)
  expect(rows.filter((name) => !names.has(name))).toEqual([])
})

test('the links of every page lead to existing files and headings', () => {
  const inRoot = readdirSync(root).map((name) => join(root, name))
  const paths = [
    ...inRoot,
    ...['docs', ...folders, 'deploy'].flatMap((name) => [...filesIn(join(root, name))]),
  ]
  const pages = paths.filter((path) => path.endsWith('.md')).map(sourceAt)
  expect(linkViolations(pages, (path) => existsSync(join(root, path)))).toEqual([])
})

/** Path, source, and whether the source imports across workspaces by a path. */
const paths: [string, string, boolean][] = [
  ['packages/gateway/a.ts', `import { x } from '../billing/index.ts'`, true],
  ['packages/gateway/steps/a.ts', `export type * from '../../billing/index.ts'`, true],
  ['packages/gateway/a.ts', `const x = await import('../../apps/server/start.ts')`, true],
  ['bench/a.ts', `import { x } from '../packaging/main.ts'`, true],
  ['packages/gateway/steps/a.ts', `import { x } from '../context/stages.ts'`, false],
  ['packages/gateway/a.ts', `import { x } from '@turnpike/billing'`, false],
  ['packages/gateway/a.test.ts', `import { x } from '../billing/index.ts'`, false],
  ['apps/server/a.ts', `import manifest from '../../package.json'`, false],
]

/** Paths within packages/dialects: the importing file, what it imports, and the expected violation. */
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

describe('the rules find violations', () => {
  test.each(paths)('%s: %s', (path, text, isViolation) => {
    expect(pathViolations({ path, text }).length > 0).toBe(isViolation)
  })

  test.each(formatImports)('in packages/dialects, %s imports %s', (path, from, expected) => {
    const violations = formatViolations({
      path: `packages/dialects/${path}`,
      text: `import { x } from '${from}'`,
    })
    if (expected === undefined) expect(violations).toEqual([])
    else expect(violations.join('\n')).toContain(expected)
  })

  test('finds mistakes in folders of wire formats', () => {
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

  test.each([
    ['packages/goodName/a.ts', true],
    ['packages/a/utils.ts', true],
    ['packages/a/utils/text.ts', true],
    ['packages/a/sub/index.ts', true],
    ['packages/a/index.ts', false],
    ['packages/a/api-key.test.ts', false],
    ['packages/storage/migrations/0001-accounts.ts', false],
    ['vitest.config.ts', false],
  ])('the name %s', (path, isViolation) => expect(nameViolations({ path }).length > 0).toBe(isViolation))

  test('finds folders with too many files', () => {
    const paths = Array.from({ length: 16 }, (_, index) => `packages/a/b/${index}.ts`)
    const beside = ['packages/a/b/0.test.ts', 'packages/a/b/testing/0.ts', 'packages/a/b/c/0.ts']
    expect(folderViolations([...paths, ...beside])).toEqual([])
    expect(folderViolations([...paths, 'packages/a/b/16.ts'])).toEqual([
      { folder: 'packages/a/b', files: 17 },
    ])
  })

  test('finds long lines, and long functions in tests', () => {
    expect(lineViolations({ text: 'x'.repeat(111) })).toEqual(['line 1 has 111 characters; at most 110'])
    const lines = (count: number): string => '  x()\n'.repeat(count)
    const inFile = (path: string, text: string): number => testFunctionViolations({ path, text }).length
    expect(inFile('a.test.ts', `function f() {\n${lines(68)}}\n`)).toBe(0)
    expect(inFile('a.test.ts', `function f() {\n${lines(69)}}\n`)).toBe(1)
    expect(inFile('a/testing/b.ts', `const f = () => {\n${lines(69)}}\n`)).toBe(1)
    expect(inFile('a/testing/b.ts', `class A {\n  m() {\n${lines(69)}}\n}\n`)).toBe(1)
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

  test('finds broken links', () => {
    const text =
      '# A `b` c\n\n[1](#a-b-c) [2](#a) [3](c.md) [4](../x/) [5](https://x.test/y)\n\n```\n[6](no.md)\n```\n'
    const page = { path: 'docs/a.md', text }
    expect(linkViolations([page], (path) => ['docs/a.md', 'x/'].includes(path))).toEqual([
      'docs/a.md links to #a: docs/a.md has no such heading',
      'docs/a.md links to c.md: there is no docs/c.md',
    ])
  })

  test('reads the numbers of the sections of the contract', () => {
    expect(contractSections('# The contract\n\n## 2. Errors\n\n### 4.5 Holds\n\n4.6 no')).toEqual(
      new Set(['2', '4.5']),
    )
  })
})

test('every package, the chart and the changelog have the same version', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const manifests = ['apps', 'packages', 'simulators', 'bench', 'tests', 'tools']
    .flatMap((folder) => [...filesIn(join(root, folder))])
    .map((path) => relative(root, path).replaceAll('\\', '/'))
    .filter((path) => /^(?:(?:apps|packages|tools)\/[^/]+|simulators|bench|tests)\/package\.json$/.test(path))
  const others = manifests.filter((path) => !read(path).includes(`\n  "version": "${version}",`))
  expect(others).toEqual([])
  expect(read('package-lock.json').split('\n')[2]).toBe(`  "version": "${version}",`)
  expect(read('deploy/helm/turnpike/Chart.yaml')).toMatch(
    new RegExp(`^version: ${version}\nappVersion: '${version}'$`, 'm'),
  )
  expect(/^## \[(\d[^\]]*)\]/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})
