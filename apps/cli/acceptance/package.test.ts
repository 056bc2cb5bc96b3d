import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../../server/testing/test-node.ts'
import { CliHome } from '../testing/cli-home.ts'
import { oldestNode } from '../testing/oldest-node.ts'
import { decideCheckout, logIn } from '../testing/signed-in.ts'

interface Packed {
  filename: string
  size: number
  unpackedSize: number
  files: { path: string }[]
}

const sources = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'turnpike-cli-package-'))
const installed = join(folder, 'empty', 'node_modules', '@turnpike', 'cli')
let packed: Packed
let node: TestNode

/** What a user of the package does: packs nothing, has nothing, installs one file. */
beforeAll(async () => {
  const npm = (words: string[], cwd: string): string =>
    execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const told = npm(['pack', '--json', '--pack-destination', folder], sources)
  packed = packedOf(JSON.parse(told.slice(told.search(/^[[{]/m))))
  mkdirSync(join(folder, 'empty'))
  npm(['init', '-y'], join(folder, 'empty'))
  npm(
    ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)],
    join(folder, 'empty'),
  )
  node = await startTestNode({ input: { server: { port: 0 } } })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await node?.stop()
})

/** npm 11 lists packages, npm 12 names them. */
function packedOf(told: Packed[] | Record<string, Packed>): Packed {
  return Object.values(told)[0]!
}

test('holds the program in its parts, licences and a description, and is small', () => {
  const paths = packed.files.map(({ path }) => path)
  const program = paths.filter((path) => /^dist\/[a-z-]+\.cjs$/.test(path))
  expect(program).toContain('dist/turnpike.cjs')
  expect(paths.filter((path) => !program.includes(path)).sort()).toEqual([
    'README.md',
    'dist/LICENSE',
    'dist/licences.txt',
    'package.json',
  ])
  expect(packed.unpackedSize).toBeLessThan(1_000_000)
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  expect(Object.keys(manifest)).not.toContain('dependencies')
})

test('publint has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: installed, pack: false, strict: true })
  expect(messages).toEqual([])
})

test('installed alone, it logs in and chats on the oldest Node that there is', async () => {
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
    // Through a proxy, another HTTP client is loaded.
    const far = new CliHome('http://gateway.invalid', { path: join(installed, 'dist', 'turnpike.cjs') }, path)
    const env = { TURNPIKE_API_KEY: 'sk-x', HTTP_PROXY: node.origin }
    expect((await far.run(['models'], { env })).stderr).not.toContain('mistake')
    far.remove()
  } finally {
    home.remove()
  }
}, 60_000)
