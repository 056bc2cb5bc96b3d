import { defineConfig, type OxlintOverride } from 'oxlint'

/** Tests and code that only tests use: they may import anything. */
export const tests = ['**/*.test.{ts,tsx}', '**/{testing,tests,conformance,torture,chaos}/**']

/** What each workspace may import from the others (ARCHITECTURE.md); from `types`, only types. */
const workspaces: Record<string, { imports?: readonly string[]; types?: readonly string[] }> = {
  'packages/protocol': {},
  'packages/api': {},
  'packages/mcp': { imports: ['api'], types: ['identity'] },
  'packages/dialects': { imports: ['protocol'] },
  'packages/vendors': { imports: ['dialects', 'protocol'] },
  'packages/routing': { imports: ['dialects', 'protocol'] },
  'packages/limits': { imports: ['dialects', 'protocol'] },
  'packages/billing': { imports: ['dialects', 'protocol'] },
  'packages/notify': { imports: ['protocol'] },
  'packages/identity': { imports: ['dialects', 'protocol'], types: ['billing'] },
  'packages/gateway': {
    imports: ['routing', 'vendors', 'limits', 'billing', 'identity', 'dialects', 'protocol'],
  },
  'packages/http': {
    imports: [
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
  },
  'packages/storage': { imports: ['billing', 'identity', 'limits', 'gateway', 'notify', 'protocol'] },
  'apps/server': { imports: ['*'] },
  'apps/cli': { imports: ['mcp', 'api'] },
  'apps/dashboard': { types: ['api'] },
  simulators: { imports: ['protocol'], types: ['gateway'] },
  bench: { imports: ['*'] },
  tests: { imports: ['*'] },
  'tools/routing': { imports: ['routing'] },
}

/**
 * The folders and loose files of packages/gateway from the top down: each may import only from those below it
 * (ARCHITECTURE.md).
 */
const gatewayFolders = [
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
].map((name) => `packages/gateway/${name}`)

interface Pattern {
  regex?: string
  group?: string[]
  importNames?: string[]
  allowTypeImports?: boolean
  message: string
}

/** Modules that only some folders may import. */
const owned: { pattern: Pattern; owners: readonly string[] }[] = [
  {
    pattern: {
      regex: '^(kysely|pg|node:sqlite|better-sqlite3)(/|$)',
      message: 'Only storage knows SQL.',
      allowTypeImports: true,
    },
    owners: ['packages/storage'],
  },
  {
    pattern: {
      regex: '^undici(/|$)',
      message: 'Only gateway/upstream has an HTTP client (and the command line, which is a client).',
      allowTypeImports: true,
    },
    owners: ['packages/gateway/upstream', 'apps/cli/network', 'bench'],
  },
  {
    pattern: {
      regex: '^(node:(http|https|http2)|fastify|@fastify/.*)$',
      message: 'Only http and apps/server have an HTTP server (and the simulators, which stand for others).',
      allowTypeImports: true,
    },
    // The command line is a client too, but a first `fetch` would take two to four times as long there.
    owners: ['packages/http', 'apps/server', 'apps/cli/network', 'simulators', 'bench'],
  },
  {
    pattern: {
      regex: '^node:https?$',
      message: 'An import of it loads fetch, 50 ms of a start: process.getBuiltinModule takes it as it is.',
      allowTypeImports: true,
    },
    // The command line loads it by `require` in its bundle.
    owners: ['apps/cli/network', 'simulators/checkout', 'simulators/clouds', 'bench'],
  },
  {
    pattern: {
      regex: '^(@aws-sdk/.*|google-auth-library|@azure/identity)$',
      message: 'Only what asks for credentials knows a cloud, and loads it where it is configured.',
      allowTypeImports: true,
    },
    owners: ['apps/server/credentials'],
  },
  {
    pattern: {
      regex: '^@smithy/signature-v4$',
      message: 'Only credentials sign.',
      allowTypeImports: true,
    },
    owners: ['packages/gateway/upstream/credentials'],
  },
  {
    pattern: {
      regex: '^(node:)?process$',
      importNames: ['env'],
      message: 'Only apps/* reads the environment: what a part needs is passed in.',
    },
    owners: ['apps', 'bench'],
  },
]

/** The import patterns that a folder or file may not use. */
function patternsOf(folder: string): Pattern[] {
  const foreign = owned.filter(({ owners }) => !owners.some((owner) => isWithin(folder, owner)))
  return [...workspacePatterns(folder), ...foreign.map(({ pattern }) => pattern), ...gatewayPatterns(folder)]
}

function workspacePatterns(folder: string): Pattern[] {
  const name = Object.keys(workspaces).find((one) => isWithin(folder, one))
  const { imports = [], types = [] } = workspaces[name ?? ''] ?? {}
  if (imports.includes('*')) return []
  const own = name?.split('/').slice(1) ?? []
  const allowed = [...own, ...imports, ...types]
  const message = `${name ?? 'A workspace that oxlint.config.ts does not list'} may not.`
  return [
    // Types come first: an exception within one group does not exempt an import from the groups after it.
    ...types.map((one) => ({
      regex: `^@turnpike/${one}(/|$)`,
      allowTypeImports: true,
      message: `${name} may import no more than its types.`,
    })),
    {
      group: ['@turnpike/**', ...allowed.flatMap((one) => [`!@turnpike/${one}`, `!@turnpike/${one}/**`])],
      message,
    },
  ]
}

/** Imports are compared as written, so no folder below one of these may have the name of one of them. */
function gatewayPatterns(folder: string): Pattern[] {
  if (!isWithin(folder, 'packages/gateway')) return []
  const own = gatewayFolders.findIndex((one) => isWithin(folder, one))
  if (own === -1)
    return [{ regex: '^\\.', message: 'gatewayFolders of oxlint.config.ts has no such folder.' }]
  const above = gatewayFolders.slice(0, own).map((path) => path.slice('packages/gateway/'.length))
  if (above.length === 0) return []
  const up = folder.endsWith('.ts') ? '\\./' : '(\\.\\./)+'
  return [
    {
      regex: `^${up}(${above.map((name) => (name.endsWith('.ts') ? name : `${name}/.*`)).join('|')})$`,
      message: 'That is above this in gatewayFolders of oxlint.config.ts.',
    },
  ]
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** Every folder at which a pattern starts or stops to apply. A file gets its innermost folder's patterns. */
const folders = new Set([
  'apps',
  'packages',
  'packaging',
  ...Object.keys(workspaces),
  ...owned.flatMap(({ owners }) => owners),
  ...gatewayFolders,
])

const depth = (path: string): number => path.split('/').length

const imports: OxlintOverride[] = Array.from(folders)
  .sort((one, other) => depth(one) - depth(other))
  .map((folder) => ({
    files: [folder.endsWith('.ts') ? folder : `${folder}/**`],
    excludeFiles: tests,
    rules: { 'no-restricted-imports': ['error', { patterns: patternsOf(folder) }] },
  }))

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'node', 'oxc'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  options: {
    typeAware: true,
  },
  rules: {
    'max-lines': ['error', 400],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    // Type imports count: no file of a circle can be understood alone. Dynamic imports do not count.
    'import/no-cycle': ['error', { ignoreTypes: false, allowUnsafeDynamicCyclicDependency: true }],
    'import/extensions': ['error', 'always', { ignorePackages: true, checkTypeImports: true }],
    'no-console': 'error',
    'no-explicit-any': 'error',
    'no-empty': 'error',
    eqeqeq: 'error',
    'prefer-const': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'off',
    'typescript/no-unnecessary-condition': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'typescript/consistent-return': 'off',
    'consistent-return': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'promise/always-return': 'off',
    'unicorn/require-post-message-target-origin': 'off',
  },
  overrides: [
    {
      files: ['packages/http/management/**', 'packages/http/webhooks/**'],
      rules: { 'oxc/no-async-endpoint-handlers': 'off' },
    },
    {
      files: ['**/*.test.ts', 'bench/**', 'bin/**', 'simulators/**'],
      rules: { 'no-console': 'off' },
    },
    // For tests, tidy.test.ts counts the lines instead: to oxlint, a `describe` group is one long function.
    {
      files: ['**'],
      excludeFiles: tests,
      rules: { 'max-lines-per-function': ['error', { max: 70, IIFEs: true }] },
    },
    // Generated from the OpenAPI document, and as long as that is.
    { files: ['packages/api/schema.ts'], rules: { 'max-lines': 'off' } },
    {
      files: ['**'],
      excludeFiles: [...tests, 'apps/**', 'bench/**', 'bin/**', 'deploy/**', 'simulators/**/*main.ts'],
      rules: {
        'no-restricted-properties': [
          'error',
          {
            object: 'process',
            property: 'env',
            message: 'Only apps/* reads the environment: what a part needs is passed in.',
          },
        ],
      },
    },
    {
      files: ['packages/**', 'apps/server/**'],
      excludeFiles: tests,
      rules: {
        'no-restricted-globals': [
          'error',
          {
            globals: [{ name: 'fetch', message: 'Only gateway/upstream has an HTTP client.' }],
            checkGlobalObject: true,
          },
        ],
      },
    },
    ...imports,
  ],
  ignorePatterns: ['node_modules', '.runtime', '.cache'],
})
