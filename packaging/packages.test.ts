import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oldestNode } from '../apps/cli/testing/oldest-node.ts'
import { freePort } from '../tests/nodes/free-port.ts'
import manifest from '../package.json' with { type: 'json' }
import { environment, installInto, packInto, type Packed } from './testing/npm.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'turnpike-package-'))
const installed = join(folder, 'empty', 'node_modules', 'turnpike')
const programs = join(folder, 'empty', 'node_modules', '.bin')
let packed: Packed

beforeAll(() => {
  packed = packInto(folder, root)
  installInto(join(folder, 'empty'), packed.file)
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readInstalled = (path: string): string => readFileSync(join(installed, path), 'utf8')

describe('the package of the gateway', () => {
  test('is the same if it is packed again', () => {
    expect(packInto(join(folder, 'again'), root).sha256).toBe(packed.sha256)
  }, 300_000)

  test('passes the checks of publint', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test('needs no other package, and holds what a gateway reads', () => {
    const manifest = JSON.parse(readInstalled('package.json')) as Record<string, unknown>
    expect(Object.keys(manifest)).not.toContain('dependencies')
    for (const path of [
      'LICENSE',
      'dist/licences-of-gateway.txt',
      'dist/licences-of-dashboard.txt',
      'dist/cli/licences.txt',
      'dist/gateway/apps-dashboard-dist/index.html',
      'dist/gateway/packages-routing-scoring-weights.bin',
      'dist/gateway/packages-vendors-data/openai.json',
      'dist/gateway/packages-storage-sqlite-worker.js',
    ])
      expect(packed.paths).toContain(path)
  })

  test('holds no source, no test, no source map, and no path of the machine that built it', () => {
    // Two commands are called "test".
    const others = packed.paths.filter((path) => !/^dist\/cli\/test2?\.cjs$/.test(path))
    expect(others.filter((path) => /\.(ts|tsx|map|db|yaml|env|pem)$|\btest|(^|\/)\./.test(path))).toEqual([])
    const secrets = Object.entries(process.env).filter(([name]) => /key|token|secret|password/i.test(name))
    const ofHere = [root, ...secrets.map(([, value]) => value ?? '').filter(({ length }) => length >= 12)]
    const texts = packed.paths.filter((path) => /\.(js|cjs|json|html|css|txt|md)$/.test(path))
    const telling = texts.filter((path) => ofHere.some((one) => readInstalled(path).includes(one)))
    expect(telling).toEqual([])
  })

  test('includes the licence of each package whose code is in it', () => {
    const gateway = readInstalled('dist/licences-of-gateway.txt')
    for (const name of ['fastify', 'undici', 'oidc-provider', 'kysely', 'pg', 'gpt-tokenizer'])
      expect(gateway).toMatch(new RegExp(`^${name} \\d`, 'm'))
    const dashboard = readInstalled('dist/licences-of-dashboard.txt')
    for (const name of ['react', '@mantine/core', 'Tabler Icons'])
      expect(dashboard).toMatch(new RegExp(`^${name} \\d`, 'm'))
  })

  test("does not read the clouds' libraries at a start, but holds them", () => {
    const folder = join(installed, 'dist/gateway')
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
    const read = new Set<string>()
    const follow = (name: string): void => {
      if (read.has(name)) return
      read.add(name)
      for (const [, next] of texts.get(name)!.matchAll(/^(?:import|export)\b[^'"\n]*["']\.\/([^"']+)["']/gm))
        follow(next!)
    }
    follow(names.find((name) => texts.get(name)!.includes('function openGatewayNode('))!)
    expect(read.size).toBeGreaterThan(5)
    for (const word of [
      'AWS4-HMAC-SHA256',
      'fromNodeProviderChain',
      'ManagedIdentityApplication',
      'computeMetadata',
    ]) {
      const holding = names.filter((name) => texts.get(name)!.includes(word))
      expect(holding, word).not.toEqual([])
      expect(holding.filter((name) => read.has(name))).toEqual([])
    }
  })

  test('tells the user of a Node that is too old what to do', () => {
    const { path, version } = oldestNode()
    if (Number.parseInt(version) >= 22) return console.log(`there is no Node before 22 here, but ${version}`)
    const ended = spawnSync(path, [join(programs, 'turnpike')], { encoding: 'utf8' })
    expect(ended.stderr).toContain(`needs Node 22.19 or newer, and this is ${version}`)
    expect(ended.status).toBe(1)
    const cli = spawnSync(path, [join(programs, 'turnpike'), '--version'], { encoding: 'utf8' })
    expect(cli.stdout).toBe(`turnpike ${manifest.version}\n`)
  })
})

describe('installed into an empty folder, without a network', () => {
  let origin: string
  let port: number
  const home = join(folder, 'work')

  beforeAll(async () => {
    port = await freePort()
    origin = `http://127.0.0.1:${port}`
    mkdirSync(home)
    writeFileSync(join(home, 'turnpike.yaml'), `server: { port: ${port} }\n`)
  })

  /** Starts it by `npx` in an empty environment. */
  async function whileServed(work: (banner: string) => Promise<void>): Promise<string> {
    const gateway = spawn('npx', ['--offline', '--yes', `file:${packed.file}`], {
      cwd: home,
      env: { ...environment, npm_config_cache: join(folder, 'cache') },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let complaints = ''
    gateway.stderr.on('data', (chunk) => (complaints += String(chunk)))
    const ended = once(gateway, 'close')
    try {
      await new Promise<void>((resolve, reject) => {
        gateway.stdout.on('data', (chunk) => {
          output += String(chunk)
          if (output.includes('-d ')) resolve()
        })
        gateway.once('close', () => reject(new Error(`it ended with: ${output}${complaints}`)))
      })
      await work(output)
    } finally {
      if (gateway.exitCode === null) process.kill(-gateway.pid!, 'SIGINT')
      await ended
    }
    return complaints
  }

  const run = (words: string[]) =>
    spawnSync(process.execPath, [join(programs, 'turnpike'), ...words], {
      cwd: home,
      encoding: 'utf8',
      env: { ...environment, TURNPIKE_API_URL: origin, TURNPIKE_CONFIG_DIR: join(home, 'files') },
    })

  test('is started by npx, answers its first request, and has the command line with it', async () => {
    const complaints = await whileServed(async (banner) => {
      const request = /^ *curl [\s\S]*?-d '.*'$/m.exec(banner)?.[0]
      expect(request).toContain(`${origin}/v1/chat/completions`)
      const answered = spawnSync('sh', ['-c', request!], { encoding: 'utf8' })
      expect(JSON.parse(answered.stdout)).toMatchObject({ object: 'chat.completion', model: 'sandbox/echo' })
      expect(await (await fetch(`${origin}/`)).text()).toContain('<title>Turnpike')
      expect((await fetch(`${origin}/docs`)).status).toBe(200)
      expect((await fetch(`${origin}/oidc/.well-known/openid-configuration`)).status).toBe(200)
      const models = JSON.parse(run(['models', '--json']).stdout) as { error?: object }
      // Nobody has logged in: the command line reaches the gateway, which refuses the request.
      expect(models).toHaveProperty('error')
      const { stdout } = run(['ledger', 'verify'])
      expect(stdout).toMatch(/^OK: \d+ balances/)
      expect(run(['check-config']).status).toBe(0)
      expect(run(['doctor']).stdout).toContain('Node')
    })
    expect(complaints).not.toMatch(/warning|error/i)
    expect(existsSync(join(home, '.turnpike'))).toBe(true)
    expect(run(['--version']).stdout).toBe(`turnpike ${manifest.version}\n`)
  }, 300_000)
})
