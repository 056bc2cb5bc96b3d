import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bundleCheckoutInto } from '../packaging/bundle-gateway.ts'
import { freePort } from '../tests/nodes/free-port.ts'
import { currentFile, gatewayVariables, nodeArguments, serverProgram, stampsOf } from './server-program.js'
import { tasks } from './tasks.js'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turnpike-program-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('what `npm start` runs', () => {
  const sources = () => join(root, 'apps', 'server', 'main.js')
  const bundle = () => join(root, '.cache', 'server', 'b', 'turnpike-gateway.js')
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const publish = (): void => {
    const files = stampsOf(root, ['packages/a.ts']) as object
    write('.cache/server/b/turnpike-gateway.js', '')
    writeFileSync(currentFile(root), JSON.stringify({ name: 'b', root, files }))
  }
  beforeEach(() => {
    for (const path of ['package-lock.json', 'packaging/bundle-gateway.ts', 'packaging/files-beside.ts'])
      write(path, 'x')
    write('packages/a.ts', 'a')
  })

  test('is the sources if there is no bundle, or an incomplete one', () => {
    expect(serverProgram(root)).toBe(sources())
    mkdirSync(join(root, '.cache', 'server'), { recursive: true })
    writeFileSync(currentFile(root), '{"name": "b", "fi')
    expect(serverProgram(root)).toBe(sources())
  })

  test('is the bundle if it was built from the current sources, and then marks it as used', () => {
    publish()
    expect(serverProgram(root)).toBe(bundle())
    expect(readdirSync(dirname(bundle()))).toContain(`used-by-${process.pid}`)
  })

  test.each<[string, () => void]>([
    ['a source is longer', () => appendFileSync(join(root, 'packages/a.ts'), 'b')],
    ['a source was written again', () => utimesSync(join(root, 'packages/a.ts'), 1, 1)],
    ['a source is gone', () => rmSync(join(root, 'packages/a.ts'))],
    ['the packages have changed', () => appendFileSync(join(root, 'package-lock.json'), 'y')],
    ['the bundle is gone', () => rmSync(bundle())],
  ])('is the sources if %s', (_, change) => {
    publish()
    change()
    expect(serverProgram(root)).toBe(sources())
  })

  test('is the sources in a copy of the checkout, whose bundle names files of the original', () => {
    publish()
    const files = stampsOf(root, ['packages/a.ts']) as object
    writeFileSync(currentFile(root), JSON.stringify({ name: 'b', root: '/elsewhere', files }))
    expect(serverProgram(root)).toBe(sources())
  })
})

describe('what saves memory', () => {
  test('is given to Node by `npm start`, before the program', () => {
    const [step] = tasks.start(root, ['--workers', '2'])
    const program = join(root, 'apps', 'server', 'main.js')
    expect(step.arguments).toEqual([...nodeArguments, program, '--workers', '2'])
  })

  test('is the same in the image', () => {
    const dockerfile = readFileSync(join(checkout, 'deploy/docker/Dockerfile'), 'utf8')
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)[1]) as string[]
    expect(entry).toEqual(['node', ...nodeArguments, '/app/apps/server/main.js'])
    for (const [name, value] of Object.entries(gatewayVariables))
      expect(dockerfile).toMatch(new RegExp(`^ +${name}=${value} `, 'm'))
  })

  test.each([
    [{}, '2'],
    [{ MALLOC_ARENA_MAX: '8' }, '8'],
  ])('is in the environment of the gateway, unless the operator sets it: %j', (own, expected) => {
    const script = `import { runChild } from ${JSON.stringify(join(checkout, 'bin/child.js'))}
      const print = 'process.stdout.write(process.env.MALLOC_ARENA_MAX); process.exit()'
      await runChild(process.execPath, ['-e', print], { cwd: '.', serves: true })`
    const { MALLOC_ARENA_MAX: _, ...environment } = process.env
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...environment, ...own },
      encoding: 'utf8',
    })
    expect(output).toBe(expected)
  })
})

test(
  'builds a bundle of a checkout that serves requests and lists its sources',
  { timeout: 240_000 },
  async () => {
    const files = await bundleCheckoutInto(join(root, 'bundle'))
    for (const path of [
      'apps/server/main.js',
      'packages/routing/scoring/weights.bin',
      'packages/gateway/pipeline.ts',
    ])
      expect(files).toContain(join(checkout, path))
    expect(files.filter((path) => path.startsWith(join(checkout, 'apps/dashboard')))).toEqual([])
    // Such a character makes V8 keep the whole file with two bytes per character.
    const beyondLatin1 = readdirSync(join(root, 'bundle'))
      .filter((file) => file.endsWith('.js'))
      .filter((file) => /[\u0100-\uffff]/.test(readFileSync(join(root, 'bundle', file), 'utf8')))
    expect(beyondLatin1).toEqual([])
    const port = await freePort()
    writeFileSync(join(root, 'turnpike.yaml'), `server: { port: ${port} }\n`)
    const gateway = spawn(process.execPath, [join(root, 'bundle', 'turnpike-gateway.js')], { cwd: root })
    const ended = once(gateway, 'close')
    let said = ''
    gateway.stdout.on('data', (chunk) => (said += String(chunk)))
    gateway.stderr.on('data', (chunk) => (said += String(chunk)))
    try {
      await expect.poll(() => said, { timeout: 60_000 }).toContain(`is ready at http://127.0.0.1:${port}`)
      const key = /sk-turnpike-\w+/.exec(said)![0]
      const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'Hello' }] }),
      })
      expect(answer.status).toBe(200)
    } finally {
      gateway.kill()
      await ended
    }
  },
)
