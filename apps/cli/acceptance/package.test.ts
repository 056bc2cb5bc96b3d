import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { suiteNode } from '../../../tests/nodes/suite.ts'
import { installInto, packInto, type Packed } from '../../../packaging/testing/npm.ts'
import { CliHome } from '../testing/cli-home.ts'
import { oldestNode } from '../testing/oldest-node.ts'
import { decideCheckout, logIn } from '../testing/signed-in.ts'

const sources = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'turnpike-cli-package-'))
const installed = join(folder, 'empty', 'node_modules', 'turnpike-cli')
const node = suiteNode({ server: { port: 0 } })
let packed: Packed

/** Installs the packed file in an empty folder, as a user does. */
beforeAll(() => {
  packed = packInto(folder, sources)
  installInto(join(folder, 'empty'), packed.file)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('contains the program in its parts, licences and a description, and is small', () => {
  const paths = packed.paths
  const program = paths.filter((path) => /^dist\/[a-z-]+\d*\.cjs$/.test(path))
  expect(program).toContain('dist/turnpike.cjs')
  expect(paths.filter((path) => !program.includes(path)).sort()).toEqual([
    'README.md',
    'dist/LICENSE',
    'dist/licences.txt',
    'package.json',
  ])
  expect(packed.unpackedBytes).toBeLessThan(1_000_000)
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  expect(Object.keys(manifest)).not.toContain('dependencies')
})

test('is identical when packed again', () => {
  expect(packInto(join(folder, 'again'), sources).sha256).toBe(packed.sha256)
})

test('has no findings of publint', async () => {
  const { messages } = await publint({ pkgDir: installed, pack: false, strict: true })
  expect(messages).toEqual([])
})

test('logs in and chats when installed alone on the oldest available Node', async () => {
  const { path, version } = oldestNode()
  console.log(`the package is run by Node ${version}`)
  const home = new CliHome(node.origin, { path: join(installed, 'dist', 'turnpike.cjs') }, path)
  try {
    expect((await logIn(home, node.origin)).code).toBe(0)
    expect((await home.run(['keys', 'create', '--name', 'first'])).code).toBe(0)
    await decideCheckout((await home.run(['topup', '--amount', '5'])).stdout.trim(), 'pay')
    expect(await home.run(['chat', 'Hello', '--model', 'sandbox/echo'])).toMatchObject({
      code: 0,
      stdout: 'Hello\n',
    })
    expect((await home.run(['usage'])).stdout).toContain('requests    1')
    // A proxy loads another HTTP client.
    const far = new CliHome('http://gateway.invalid', { path: join(installed, 'dist', 'turnpike.cjs') }, path)
    const env = { TURNPIKE_API_KEY: 'sk-x', HTTP_PROXY: node.origin }
    expect((await far.run(['models'], { env })).stderr).not.toContain('mistake')
    far.remove()
  } finally {
    home.remove()
  }
}, 60_000)
