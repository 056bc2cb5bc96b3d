import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, statSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CliHome } from '../testing/cli-home.ts'
import {
  account,
  apiError,
  credentials,
  deviceFlow,
  FakeServer,
  type Answer,
} from '../testing/fake-server.ts'
import { suiteHomes, suiteProgram } from '../testing/suite.ts'

const homeAt = suiteHomes(suiteProgram())
let server: FakeServer
let home: CliHome

beforeEach(async () => {
  server = await FakeServer.start()
  home = homeAt(server)
  mkdirSync(home.files, { mode: 0o700 })
  return () => server.stop()
})

/** Tokens `token-1`, `token-2`, …; a refresh token works once, as with issuers that rotate them. */
function rotatingIssuer(): Answer {
  let count = 0
  return (_request, response) => {
    const { body } = server.seen.at(-1)!
    const refreshToken = new URLSearchParams(body).get('refresh_token')
    // Slow, so that every process that does not wait for the other's refresh is noticed.
    setTimeout(() => {
      const isGood = refreshToken === `refresh-${count}`
      if (isGood) count++
      response.writeHead(isGood ? 200 : 400, { 'content-type': 'application/json' })
      const tokens = { access_token: `token-${count}`, refresh_token: `refresh-${count}`, expires_in: 3600 }
      response.end(JSON.stringify(isGood ? tokens : { error: 'invalid_grant' }))
    }, 300)
  }
}

const refreshes = (): number => server.seen.filter(({ path }) => path === '/token').length

describe('refreshing a token', () => {
  test('is silent, and stores new tokens that only their owner can read', async () => {
    Object.assign(server.answers, { 'POST /token': rotatingIssuer(), 'GET /api/v1/me': { body: account } })
    home.write(
      'credentials.json',
      credentials(server.origin, { expires_at: Math.floor(Date.now() / 1000) + 10 }),
    )
    expect(await home.json(['whoami'])).toMatchObject({ code: 0, stderr: '', value: account })
    expect(server.seen.at(-1)!.headers.authorization).toBe('Bearer token-1')
    expect(JSON.parse(home.read('credentials.json')).servers[server.origin]).toMatchObject({
      access_token: 'token-1',
      refresh_token: 'refresh-1',
      account: { id: 'acct_1' },
    })
    expect(statSync(home.path('credentials.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(home.files)).toEqual(['credentials.json'])
  })

  test('happens once, however many processes need it at the same time', async () => {
    Object.assign(server.answers, { 'POST /token': rotatingIssuer(), 'GET /api/v1/me': { body: account } })
    home.write('credentials.json', credentials(server.origin, { expires_at: 1 }))
    const ended = await Promise.all(Array.from({ length: 5 }, () => home.run(['whoami'])))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(refreshes()).toBe(1)
  })

  test('happens if a token is rejected before it expires', async () => {
    const refused = apiError(401, 'authentication_error')
    Object.assign(server.answers, {
      'POST /token': rotatingIssuer(),
      'GET /api/v1/me': [refused, { body: account }],
    })
    home.write('credentials.json', credentials(server.origin))
    expect((await home.run(['whoami'])).code).toBe(0)
    expect(refreshes()).toBe(1)
  })

  test('that fails asks the user to log in again, and keeps the file', async () => {
    server.answers['POST /token'] = { status: 400, body: { error: 'invalid_grant' } }
    const before = credentials(server.origin, { expires_at: 1 })
    home.write('credentials.json', before)
    expect(await home.run(['whoami'])).toEqual({
      code: 1,
      stdout: '',
      stderr: '✗ The login has expired.\n  Log in: turnpike login\n',
    })
    expect(home.read('credentials.json')).toBe(before)
  })

  test('does not wait for a process that has ended', async () => {
    Object.assign(server.answers, { 'POST /token': rotatingIssuer(), 'GET /api/v1/me': { body: account } })
    home.write('credentials.json', credentials(server.origin, { expires_at: 1 }))
    home.write('credentials.lock', `${hostname()} 4194304 mark`)
    expect((await home.run(['whoami'])).code).toBe(0)
    expect(readdirSync(home.files)).toEqual(['credentials.json'])
  })
})

test('never sends a token to a server other than its own', async () => {
  home.write('credentials.json', credentials('https://other.test'))
  const { code, stderr } = await home.run(['whoami'])
  const hint = '  You are logged in to https://other.test. Set TURNPIKE_API_URL to use it.'
  expect([code, stderr]).toEqual([1, `✗ Not logged in to ${server.origin}.\n${hint}\n`])
  expect(server.seen).toEqual([])
})

describe('an unusable file', () => {
  test.each([
    ['{', 'it is not JSON'],
    ['[]', 'it lists no servers'],
    ['{"version":1}', 'it lists no servers'],
    ['{"version":2,"servers":{}}', 'it has version 2'],
    ['{"version":1,"servers":{"http://x":{}}}', 'the entry of http://x is incomplete'],
  ])('credentials %s are reported with their path and kept', async (text, reason) => {
    home.write('credentials.json', text)
    for (const words of [['whoami'], ['login'], ['logout']]) {
      const { code, value } = await home.json(words)
      const message = `${home.path('credentials.json')} is invalid: ${reason}.`
      expect([code, value]).toMatchObject([1, { error: { type: 'local_file_error', message } }])
    }
    expect(home.read('credentials.json')).toBe(text)
    expect(server.seen).toEqual([])
  })

  test('a folder that is not writable is reported before the user signs in', async () => {
    rmdirSync(home.files)
    // root could write to any folder, but not below this path, which is a dangling link.
    symlinkSync(`${home.files}-gone/away`, home.files)
    Object.assign(
      server.answers,
      deviceFlow(() => server.origin),
    )
    const { code, stdout, stderr } = await home.run(['login', '--no-open'])
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`✗ ${home.files} cannot be made`)])
    expect(server.seen).toEqual([])
  })

  test('an invalid cached key is reported with its path', async () => {
    home.write('last_key', 'two words\n')
    const { code, stderr } = await home.run(['env'])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`✗ ${home.path('last_key')} is invalid`)])
  })

  test.skipIf(process.getuid?.() === 0)('that is not readable is reported with its path', async () => {
    home.write('credentials.json', credentials(server.origin))
    chmodSync(home.path('credentials.json'), 0)
    const { code, stderr } = await home.run(['whoami'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('credentials.json cannot be read: EACCES')])
  })

  test('a key that cannot be cached is still shown', async () => {
    const key = { id: 'key_1', name: 'x', key_prefix: 'sk-turnpike-abcd', raw: 'sk-turnpike-abcdef' }
    server.answers['POST /api/v1/me/keys'] = { status: 201, body: key }
    home.write('credentials.json', credentials(server.origin))
    mkdirSync(home.path('last_key'))
    const { code, stdout, stderr } = await home.run(['keys', 'create', '--name', 'x'])
    expect([code, stdout]).toEqual([1, `${key.raw}\n`])
    expect(stderr).toContain(`${home.path('last_key')} cannot be written`)
    expect(readdirSync(home.files).sort()).toEqual(['credentials.json', 'last_key'])
  })
})

test('folders that others can read are made private', async () => {
  chmodSync(home.files, 0o755)
  Object.assign(server.answers, { 'POST /token': rotatingIssuer(), 'GET /api/v1/me': { body: account } })
  home.write('credentials.json', credentials(server.origin, { expires_at: 1 }))
  expect((await home.run(['whoami'])).code).toBe(0)
  expect(statSync(home.files).mode & 0o777).toBe(0o700)
})

test('logout removes the login even if its issuer is unavailable, and says it was not revoked', async () => {
  home.write('credentials.json', credentials(server.origin, { issuer: 'http://127.0.0.1:9' }))
  const { code, stderr } = await home.run(['logout'])
  expect(code).toBe(0)
  expect(stderr).toMatch(/^! The login could not be revoked at its issuer: .*\n✓ Logged out of /)
  expect(existsSync(home.path('credentials.json'))).toBe(false)
})

describe('a retried request', () => {
  test('is one that is safe to repeat: creating a key uses the same Idempotency-Key', async () => {
    const broken: Answer = (request) => request.socket.destroy()
    const key = { id: 'key_1', name: 'x', key_prefix: 'sk-turnpike-abcd', raw: 'sk-turnpike-abcdef' }
    server.answers['POST /api/v1/me/keys'] = [
      broken,
      apiError(503, 'service_unavailable'),
      { status: 201, body: key },
    ]
    home.write('credentials.json', credentials(server.origin))
    expect((await home.run(['keys', 'create', '--name', 'x'])).stdout).toBe(`${key.raw}\n`)
    const keys = new Set(server.seen.map(({ headers }) => headers['idempotency-key']))
    expect([server.seen.length, keys.size]).toEqual([3, 1])
  })

  test('is never a chat completion', async () => {
    server.answers['POST /v1/chat/completions'] = (request) => request.socket.destroy()
    const env = { TURNPIKE_API_KEY: 'sk-turnpike-x' }
    expect((await home.run(['chat', 'Hi', '--model', 'a/b'], { env })).code).toBe(2)
    expect(server.seen).toHaveLength(1)
  })
})

describe('a proxy from the environment', () => {
  const env = { TURNPIKE_API_KEY: 'sk-turnpike-x' }

  test('is used for other machines', async () => {
    server.answers['GET http://gateway.test/v1/models'] = { body: { object: 'list', data: [] } }
    const far = homeAt('http://gateway.test')
    const { code } = await far.run(['models'], { env: { ...env, HTTP_PROXY: server.origin } })
    expect([code, server.seen.map(({ path }) => path)]).toEqual([0, ['http://gateway.test/v1/models']])
  })

  test('is not used for this machine, nor for hosts in NO_PROXY', async () => {
    server.answers['GET /v1/models'] = { body: { object: 'list', data: [] } }
    const { code } = await home.run(['models'], { env: { ...env, HTTP_PROXY: 'http://127.0.0.1:9' } })
    expect(code).toBe(0)
    const far = homeAt('http://gateway.invalid')
    const proxied = { ...env, http_proxy: server.origin, no_proxy: '.invalid' }
    const { stderr } = await far.run(['models'], { env: proxied })
    expect(stderr).toContain('cannot be resolved')
  })
})
