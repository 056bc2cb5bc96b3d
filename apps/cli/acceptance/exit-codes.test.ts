import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CliHome, Options } from '../testing/cli-home.ts'
import { apiError, credentials, deviceFlow, FakeServer, type Answer } from '../testing/fake-server.ts'
import { suiteHomes, suiteProgram } from '../testing/suite.ts'

/** Failures that a real gateway cannot be made to produce; the other exit codes are in commands.test.ts. */

const homeFor = suiteHomes(suiteProgram())
/** An address without a listener. */
let nobody: string

beforeAll(async () => {
  const server = await FakeServer.start()
  nobody = server.origin
  await server.stop()
})

async function serverWith(
  answers: Record<string, Answer | Answer[]>,
  tls?: { key: string; cert: string },
): Promise<FakeServer> {
  const server = await FakeServer.start(answers, tls)
  onTestFinished(() => server.stop())
  return server
}

async function ends(
  home: CliHome,
  words: string[],
  code: number,
  error: object,
  options?: Options,
): Promise<void> {
  const [json, shown] = await Promise.all([
    home.json<{ error: object }>(words, options),
    home.run(words, options),
  ])
  expect([json.code, json.stderr]).toEqual([code, ''])
  expect(json.value).toEqual({ error: expect.objectContaining(error) })
  expect([shown.code, shown.stdout]).toEqual([code, ''])
  expect(shown.stderr).toMatch(/^✗ \S/)
}

/** Creates the certificates; without it, tests that need them are skipped. */
function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    console.log('openssl was not found: certificates are not tested')
    return false
  }
}

const withKey = { env: { TURNPIKE_API_KEY: 'sk-turnpike-x' } }

describe('exit code 1: the user', () => {
  test('has no key, or an invalid one', async () => {
    const home = homeFor(nobody)
    await ends(home, ['env'], 1, { type: 'authentication_error', message: 'No API key found.' })
    await ends(home, ['test'], 1, { type: 'authentication_error' })
    await ends(home, ['models'], 1, { type: 'authentication_error' }, { env: { TURNPIKE_API_KEY: 'a\nb' } })
    await ends(home, ['env', '--key', 'a b'], 1, { param: '--key' })
  })

  test('is not logged in', async () => {
    const home = homeFor(nobody)
    for (const words of [['whoami'], ['balance'], ['keys', 'list'], ['topup', '--amount', '5'], ['usage']])
      await ends(home, words, 1, { type: 'authentication_error', hint: 'Log in: turnpike login' })
  })

  test.each([400, 401, 402, 403, 404, 409, 413, 429])('gets a %d', async (status) => {
    const refusal = apiError(status, 'a_type', { 'retry-after': '60' })
    const server = await serverWith({ 'GET /v1/models': refusal, 'POST /v1/chat/completions': refusal })
    const home = homeFor(server.origin)
    const error = { type: 'a_type', code: status, message: 'A a_type for a test.', request_id: 'req_x' }
    await ends(home, ['models'], 1, error, withKey)
    await ends(home, ['chat', 'Hi', '--model', 'a/b'], 1, error, withKey)
  })

  test.each([
    [['frobnicate'], /Unknown command/],
    [['keys', 'transfer', 'key_x', '--amount', '1'], /--to <id>/],
    [['keys', 'create', '--name', 'x', '--expires', 'tomorrow'], /--expires/],
    [['keys', 'show', 'sk-turnpike-secret'], /not the key itself/],
    [['keys', 'update', 'key_x'], /Nothing to change/],
    [['topup', '--amount', '-5'], /--amount/],
    [['topup', '--amount', '5.0000000000001'], /--amount/],
    [['usage', '--days', '0'], /1 to 365/],
    [['usage', '--days', '366'], /1 to 365/],
    [['usage', '--by', 'moon'], /tag, model/],
    [['usage', '--by', 'tag', '--limit', '10001'], /1 to 10000/],
    [['usage', '--limit', '5'], /--by/],
    [['usage', '--by', 'tag', '--by', 'tag'], /two different/],
    [['usage', '--health', '--by', 'tier'], /--by: .*expected one of day, hour/],
    [['usage', '--health', '--by', 'key', '--by', 'model'], /--by/],
    [['usage', '--health', '--tag', 'a', '--tag', 'b'], /--tag/],
    [['usage', '--health', '--endpoint', 'messages'], /--endpoint: cannot be combined with --health/],
    [['usage', '--health', '--limit', '3'], /--by/],
    [['models', '--sort', 'taste'], /id, input, output/],
    [['ledger', '--limit', '1000'], /1 to 200/],
    [['completion', 'tcsh'], /bash, zsh, fish/],
    [['whoami', '--fields', 'shoe_size'], /unknown field "shoe_size"/],
    [['chat'], /Expected a prompt/],
    [['route'], /Expected a prompt/],
  ])('types %j', async (words, message) => {
    await ends(
      homeFor(nobody),
      words,
      1,
      { type: 'invalid_request_error', message: expect.stringMatching(message) },
      withKey,
    )
  })

  test('configures no address, or one that redirects', async () => {
    await ends(homeFor('localhost:8787'), ['models'], 1, { param: 'TURNPIKE_API_URL' }, withKey)
    const moved = { status: 308, headers: { location: 'https://new.test/v1/models' } }
    const server = await serverWith({ 'GET /v1/models': moved })
    await ends(homeFor(server.origin), ['models'], 1, { code: 308 }, withKey)
  })
})

describe('exit code 2: the network', () => {
  test('has no listener', async () => {
    const home = homeFor(nobody)
    const error = { type: 'network_error', message: expect.stringContaining('ECONNREFUSED') }
    await ends(home, ['models'], 2, error, withKey)
    await ends(home, ['login'], 2, error)
    await ends(home, ['chat', 'Hi', '--model', 'a/b'], 2, error, withKey)
  })

  test('does not know the host name', async () => {
    const message = expect.stringMatching(/^The name gateway\.invalid cannot be resolved \(E\w+\)/)
    await ends(homeFor('http://gateway.invalid'), ['models'], 2, { type: 'network_error', message }, withKey)
  })

  test.skipIf(!hasOpenssl())(
    'has an untrusted certificate, unless NODE_EXTRA_CA_CERTS contains it',
    async () => {
      const home = homeFor('')
      const [key, cert] = [join(home.directory, 'key.pem'), join(home.directory, 'cert.pem')]
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
      const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
      execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
      const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
      const server = await serverWith({ 'GET /v1/models': { body: { object: 'list', data: [] } } }, tls)
      const message = expect.stringMatching(/certificate of 127\.0\.0\.1:\d+ is not trusted/)
      await ends(homeFor(server.origin), ['models'], 2, { type: 'network_error', message }, withKey)
      const trusting = { env: { ...withKey.env, NODE_EXTRA_CA_CERTS: cert } }
      expect((await homeFor(server.origin).run(['models'], trusting)).code).toBe(0)
      const otherName = homeFor(server.origin.replace('127.0.0.1', 'localhost'))
      await ends(otherName, ['models'], 2, { message: expect.stringContaining('not trusted') }, trusting)
    },
  )

  test('has a server without TLS', async () => {
    const server = await serverWith({})
    const home = homeFor(server.origin.replace('http', 'https'))
    await ends(home, ['models'], 2, { message: expect.stringContaining('does not speak TLS') }, withKey)
  })

  test('brings no response in time', async () => {
    const server = await serverWith({ 'GET /v1/models': () => undefined })
    const options = { env: { ...withKey.env, TURNPIKE_TIMEOUT_SECONDS: '0.3' } }
    const message = expect.stringMatching(/did not respond within 0\.3 s\.$/)
    await ends(homeFor(server.origin), ['models'], 2, { type: 'network_error', message }, options)
  })

  test('ends a stream before it is finished', async () => {
    const begin = 'data: {"choices":[{"delta":{"content":"Once upon"}}]}\n\n'
    const cut: Answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(begin)
    }
    const server = await serverWith({ 'POST /v1/chat/completions': cut })
    const words = ['chat', 'Tell', '--model', 'a/b']
    const { code, stdout, stderr } = await homeFor(server.origin).run(words, withKey)
    expect([code, stdout]).toEqual([2, 'Once upon\n'])
    expect(stderr).toMatch(/was interrupted/)
  })
})

describe('exit code 3: the server', () => {
  test.each([500, 501, 502, 503, 504])('responds with %d', async (status) => {
    const refusal = apiError(status, 'a_type', { 'retry-after': '60' })
    const server = await serverWith({ 'GET /v1/models': refusal, 'POST /v1/chat/completions': refusal })
    const home = homeFor(server.origin)
    await ends(home, ['models'], 3, { type: 'a_type', code: status }, withKey)
    await ends(home, ['chat', 'Hi', '--model', 'a/b'], 3, { type: 'a_type', code: status }, withKey)
  })

  test('responds with something other than the API’s JSON', async () => {
    const server = await serverWith({ 'GET /v1/models': { body: '<html>Welcome' } })
    await ends(homeFor(server.origin), ['models'], 3, { type: 'api_error', code: 200 }, withKey)
  })

  test.each([
    ['access_denied', 'The sign-in was denied.'],
    ['expired_token', 'The code expired before anyone signed in.'],
    ['invalid_client', 'The issuer rejected the sign-in. (No such client)'],
  ])('refuses the device: %s', async (error, message) => {
    const refusal = { status: 400, body: { error, error_description: 'No such client' } }
    const server = await serverWith({
      'POST /token': [{ body: { error: 'authorization_pending' } }, refusal],
    })
    Object.assign(
      server.answers,
      deviceFlow(() => server.origin),
    )
    const { code, stdout } = await homeFor(server.origin).run(['login', '--json'])
    const [device, failure] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect([code, device]).toMatchObject([3, { user_code: 'ABCD-EFGH' }])
    expect(failure).toMatchObject({ error: { type: 'device_flow_error', message } })
  })

  test('gets no decision until the code has expired', async () => {
    const pending = { status: 400, body: { error: 'authorization_pending' } }
    const server = await serverWith({ 'POST /token': pending })
    Object.assign(
      server.answers,
      deviceFlow(() => server.origin, { expires_in: 0.4 }),
    )
    const { code, stderr } = await homeFor(server.origin).run(['login'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('✗ The code expired')])
  })

  test('does not say how to sign in', async () => {
    const server = await serverWith({ 'GET /api/v1/auth/discovery': { body: { issuer: 'x' } } })
    await ends(homeFor(server.origin), ['login'], 3, { type: 'device_flow_error' })
  })

  test('cannot refresh the login', async () => {
    const server = await serverWith({ 'POST /token': { status: 503, body: 'down' } })
    const home = homeFor(server.origin)
    await home.run(['logout'])
    home.write('credentials.json', credentials(server.origin, { expires_at: 1 }))
    await ends(home, ['whoami'], 3, { code: 503 })
  })
})
