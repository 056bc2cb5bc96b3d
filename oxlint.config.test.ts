import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/* oxlint passes over a pattern that it cannot read without a word: so each rule of ours is broken here. */

const lines = (count: number): string => '  x()\n'.repeat(count)

/** The path of a file, its text, and what oxlint should say of it; undefined where nothing. */
const cases: [path: string, text: string, expected: string | undefined][] = [
  // What a workspace may import of the others.
  ['packages/protocol/a.ts', `import { x } from '@turnpike/dialects'`, 'packages/protocol may not'],
  ['packages/dialects/a.ts', `import type { X } from '@turnpike/protocol'`, undefined],
  ['packages/dialects/b.ts', `import type { X } from '@turnpike/gateway'`, 'packages/dialects may not'],
  ['packages/billing/a.ts', `export * from '@turnpike/identity'`, 'packages/billing may not'],
  ['packages/billing/b.ts', `const x = await import('@turnpike/storage')`, 'packages/billing may not'],
  ['packages/billing/c.ts', `import { x } from '@turnpike/storage/testing/a.ts'`, 'packages/billing may not'],
  ['packages/gateway/steps/a.ts', `import { x } from '@turnpike/http'`, 'packages/gateway may not'],
  ['packages/gateway/steps/b.ts', `import { x } from '@turnpike/vendors'`, undefined],
  ['packages/gateway/steps/c.test.ts', `import { x } from '@turnpike/storage'`, undefined],
  ['packages/storage/a.ts', `import { x } from '@turnpike/http'`, 'packages/storage may not'],
  ['packages/unknown/a.ts', `import { x } from '@turnpike/http'`, 'does not list may not'],
  ['packages/http/a.ts', `import { x } from '@turnpike/storage'`, 'packages/http may not'],
  ['packages/identity/a.ts', `import type { X } from '@turnpike/billing'`, undefined],
  ['packages/identity/b.ts', `import { x } from '@turnpike/billing'`, 'no more than its types'],
  ['apps/server/a.ts', `import { x } from '@turnpike/storage'`, undefined],
  ['apps/cli/a.ts', `import { x } from '@turnpike/api'`, undefined],
  ['apps/cli/b.ts', `import type { X } from '@turnpike/http'`, 'apps/cli may not'],
  ['apps/dashboard/a.ts', `import type { X } from '@turnpike/api'`, undefined],
  ['apps/dashboard/b.ts', `import { x } from '@turnpike/api'`, 'no more than its types'],
  ['simulators/a.ts', `import { type X } from '@turnpike/gateway'`, undefined],
  ['simulators/b.ts', `import { type X, y } from '@turnpike/gateway'`, 'no more than its types'],
  ['bench/a.ts', `import { x } from '@turnpike/storage'`, undefined],
  // Modules that belong to some folders alone.
  ['packages/gateway/steps/d.ts', `import { Kysely } from 'kysely'`, 'only storage knows SQL'],
  ['packages/gateway/steps/e.ts', `import { DatabaseSync } from 'node:sqlite'`, 'only storage knows SQL'],
  ['packages/storage/b.ts', `import { Kysely } from 'kysely'`, undefined],
  ['packages/http/b.ts', `import { Pool } from 'undici'`, 'only gateway/upstream has an HTTP client'],
  ['packages/gateway/upstream/a.ts', `import { Pool } from 'undici'`, undefined],
  ['packages/gateway/steps/f.ts', `import { createServer } from 'node:http'`, 'only http and apps/server'],
  ['packages/gateway/steps/g.ts', `import type { IncomingMessage } from 'node:http'`, undefined],
  ['packages/http/c.ts', `import { createServer } from 'node:http'`, 'process.getBuiltinModule'],
  ['packages/http/d.ts', `import type { Server } from 'node:http'`, undefined],
  ['apps/server/b.ts', `import { x } from '@azure/identity'`, 'only what asks for credentials'],
  ['apps/server/credentials/a.ts', `import { x } from '@azure/identity'`, undefined],
  ['packages/gateway/upstream/b.ts', `import { x } from '@smithy/signature-v4'`, 'only credentials sign'],
  ['packages/gateway/upstream/credentials/a.ts', `import { x } from '@smithy/signature-v4'`, undefined],
  // Folders of packages/gateway.
  ['packages/gateway/steps/h.ts', `import { x } from '../context/a.ts'`, undefined],
  ['packages/gateway/steps/i.ts', `import { x } from './h.ts'`, undefined],
  ['packages/gateway/upstream/media/a.ts', `import { x } from '../a.ts'`, undefined],
  ['packages/gateway/upstream/media/b.ts', `import { x } from '../../steps/h.ts'`, 'above this'],
  ['packages/gateway/context/b.ts', `import { x } from '../steps/h.ts'`, 'above this'],
  ['packages/gateway/answer/a.ts', `import type { X } from '../attempts/a.ts'`, 'above this'],
  ['packages/gateway/steps/j.ts', `import { serve } from '../pipeline.ts'`, 'above this'],
  ['packages/gateway/pipeline.ts', `import { x } from './endpoints.ts'`, 'above this'],
  ['packages/gateway/endpoints.ts', `import { x } from './count-tokens.ts'`, undefined],
  ['packages/gateway/operations/a.ts', `const x = import('../auto/b.ts')`, 'above this'],
  ['packages/gateway/steps/k.test.ts', `import { serve } from '../pipeline.ts'`, undefined],
  ['packages/gateway/a.ts', `import { x } from './body/a.ts'`, 'has no such folder'],
  // The environment.
  ['packages/http/e.ts', 'const x = process.env.HOME', 'only apps/* reads'],
  ['packages/http/f.ts', `const x = process['env']`, 'only apps/* reads'],
  ['packages/http/g.ts', 'const x = process?.env', 'only apps/* reads'],
  ['packages/http/h.ts', 'const { env } = process', 'only apps/* reads'],
  ['packages/http/i.ts', `import { env } from 'node:process'`, 'only apps/* reads'],
  ['packages/http/j.ts', 'const x = process.environment', undefined],
  ['packages/http/k.test.ts', 'const x = process.env.HOME', undefined],
  ['apps/server/c.ts', 'const x = process.env.HOME', undefined],
  ['simulators/vendor/server.ts', 'const x = process.env.HOME', 'only apps/* reads'],
  ['simulators/vendor/main.ts', 'const x = process.env.HOME', undefined],
  // The global `fetch`.
  ['packages/http/l.ts', `await fetch('http://x')`, 'only gateway/upstream has an HTTP client'],
  ['packages/http/m.ts', `await globalThis.fetch('http://x')`, 'only gateway/upstream has an HTTP client'],
  ['packages/http/n.ts', `await store.fetch('x')`, undefined],
  // Names, lengths and circles.
  ['packages/a/goodName.ts', '', 'kebab-case'],
  ['packages/a/api-key.test.ts', '', undefined],
  ['packages/storage/migrations/0001-accounts.ts', '', undefined],
  ['packages/a/b.ts', `import { x } from './b'`, 'missing file extension'],
  ['packages/a/c.ts', `import type { X } from './b'`, 'missing file extension'],
  ['packages/a/d.ts', lines(400), undefined],
  ['packages/a/e.ts', lines(401), 'file has too many lines (401)'],
  ['packages/a/f.ts', `function f() {\n${lines(68)}}\n`, undefined],
  ['packages/a/g.ts', `function f() {\n${lines(69)}}\n`, 'too many lines (71)'],
  ['packages/a/h.ts', `const f = () => {\n${lines(69)}}\n`, 'too many lines (71)'],
  ['packages/a/i.ts', `class A {\n  m() {\n${lines(69)}}\n}\n`, 'too many lines (71)'],
  ['packages/a/j.ts', `;(() => {\n${lines(69)}})()\n`, 'too many lines (71)'],
  ['packages/circle/one.ts', `import { two } from './sub/two.ts'`, 'dependency cycle'],
  ['packages/circle/sub/two.ts', `import type { One } from '../one.ts'`, 'dependency cycle'],
  ['packages/circle/three.ts', `const four = import('./four.ts')`, undefined],
  ['packages/circle/four.ts', `import './three.ts'`, undefined],
]

/** Rules of other people's, which these texts break too. */
const counted = /max-lines|no-restricted|filename-case|no-cycle|import\(extensions|import\/extensions/

interface Finding {
  code: string
  filename: string
  message: string
  help?: string
}

const folder = mkdtempSync(join(tmpdir(), 'turnpike-oxlint-'))
let findings: Finding[] = []

beforeAll(async () => {
  const root = import.meta.dirname
  const modules = join(root, 'node_modules')
  symlinkSync(modules, join(folder, 'node_modules'), 'junction')
  copyFileSync(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [path, text] of cases) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const args = [join(modules, 'oxlint', 'bin', 'oxlint'), '--format=json']
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 64 << 20 })
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string })
  findings = (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the rules of oxlint.config.ts', () => {
  test.each(cases)('%s: %s', (path, _text, expected) => {
    const said = findings
      .filter(({ filename, code }) => filename.replaceAll('\\', '/') === path && counted.test(code))
      .map(({ message, help = '' }) => `${message} ${help}`.toLowerCase())
    if (expected === undefined) expect(said).toEqual([])
    else expect(said.join('\n')).toContain(expected.toLowerCase())
  })
})
