import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { loginByDevice } from '../../../apps/server/identity/testing/device-login.ts'
import { newEmail } from '../../../apps/server/identity/testing/sign-in.ts'
import { startTestNode } from '../../nodes/test-node.ts'
import { suiteNode } from '../../nodes/suite.ts'
import { converse, head } from '../raw-http.ts'
import { rpc, send, type RawAnswer } from './raw-client.ts'
import { keyOf, signedInAgent } from './signed-in-agent.ts'

/** Checks before a tool runs: authentication, origin, and the validity of messages. */

let token: string

const node = suiteNode({ server: { port: 0 }, cors: { allowed_origins: ['https://app.example'] } })
beforeAll(async () => {
  ;({ token } = await signedInAgent(node))
})

const list = rpc('tools/list')
const listed = (): Promise<RawAnswer> => send(node, { token, body: list })

function expectRefusal(answer: RawAnswer, status: number, code: number): void {
  expect([answer.status, answer.json.error?.code], answer.text).toEqual([status, code])
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) as string } })
}

describe('the caller', () => {
  const metadata = (): string => `resource_metadata="${node.origin}/.well-known/oauth-protected-resource/mcp"`

  test('is identified by a token for this server', async () => {
    const answer = await listed()
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.json.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' })
  })

  test.each([
    ['no credential', () => undefined],
    ['no token', () => 'nothing of the kind'],
    ['an API key', async () => (await node.createKey()).raw],
    [
      'a token for the management API',
      async () => (await loginByDevice(node.origin, { email: newEmail() })).access_token,
    ],
    ['a changed token', () => `${token.slice(0, -8)}AAAAAAAA`],
  ])('is refused with %s, and told where to get a token', async (_, credential) => {
    const answer = await send(node, { token: await credential(), body: list })
    expectRefusal(answer, 401, -32_000)
    expect(answer.headers.get('www-authenticate')).toContain(metadata())
    // RFC 6750, section 3.1: without a token, the response contains no error code.
    const isWrong = answer.headers.get('www-authenticate')!.includes('error="invalid_token"')
    expect(isWrong).toBe((await credential()) !== undefined)
  })

  test('needs a token before its body is read', async () => {
    expect((await send(node, { body: 'no JSON' })).status).toBe(401)
  })

  test('is refused if its account is suspended', async () => {
    const agent = await signedInAgent(node)
    const change = { method: 'PATCH', body: { status: 'suspended' } }
    await node.admin(`/accounts/${agent.accountId}`, change)
    expectRefusal(await send(node, { token: agent.token, body: list }), 403, -32_000)
  })
})

describe('other methods', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('%s is 405', async (method) => {
    for (const one of [token, undefined]) {
      const answer = await send(node, { method, token: one })
      expectRefusal(answer, 405, -32_000)
      expect(answer.headers.get('allow')).toBe('POST')
    }
  })

  test('HEAD is 405', async () => {
    expect((await send(node, { method: 'HEAD' })).status).toBe(405)
  })
})

describe('web pages', () => {
  const from = (origin: string): Promise<RawAnswer> => send(node, { token, body: list, headers: { origin } })

  test.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'null',
    'http://127.0.0.1.evil.example:8787',
    'chrome-extension://abc',
    'https://app.example.evil.example',
  ])('of %s may not call', async (origin) => {
    const answer = await from(origin)
    expectRefusal(answer, 403, -32_000)
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
  })

  test.each([() => node.origin, () => 'https://app.example', () => 'http://localhost:6274'])(
    'of the gateway, a configured origin or this machine may call',
    async (originOf) => {
      const answer = await from(originOf())
      expect(answer.status).toBe(200)
      expect(answer.headers.get('access-control-allow-origin')).toBe(originOf())
      expect(answer.headers.get('vary')).toBe('origin')
    },
  )

  test('send a preflight, and may read why they are refused', async () => {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    }
    const origin = 'https://app.example'
    const preflight = await send(node, { method: 'OPTIONS', headers: { origin, ...asked } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    const refused = await send(node, { body: list, headers: { origin } })
    expect(refused.headers.get('access-control-expose-headers')).toContain('www-authenticate')
    const foreign = { origin: 'https://evil.example', ...asked }
    expect((await send(node, { method: 'OPTIONS', headers: foreign })).status).toBe(403)
  })

  test('whose name was made to resolve to the gateway are refused by their host', async () => {
    const lines: [string, string][] = [
      ['host', 'evil.example'],
      ['authorization', `Bearer ${token}`],
    ]
    const { answers } = await converse(node.origin, [head('POST /mcp HTTP/1.1', lines)])
    expect(answers[0]!.status).toBe(421)
  })
})

describe('an invalid message', () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`

  test.each<[what: string, body: string | Uint8Array, status: number, code: number]>([
    ['no JSON', '{"jsonrpc"', 400, -32_700],
    ['nothing', '', 400, -32_700],
    ['bytes that are not UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), 400, -32_700],
    ['a batch', JSON.stringify([list, list]), 400, -32_600],
    ['an empty batch', '[]', 400, -32_600],
    ['a number', '1', 400, -32_600],
    ['null', 'null', 400, -32_600],
    ['depth', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${deep}}`, 400, -32_600],
    ['many values', `{"jsonrpc":"2.0","id":1,"method":"x","params":[${'0,'.repeat(60_000)}0]}`, 400, -32_600],
    ['more than a mebibyte', JSON.stringify({ ...list, params: { a: 'x'.repeat(1_048_576) } }), 413, -32_000],
  ])('%s', async (_, body, status, code) => {
    expectRefusal(await send(node, { token, body }), status, code)
  })

  test('another content type, or an encoded body', async () => {
    const plain = await send(node, { token, body: list, headers: { 'content-type': 'text/plain' } })
    expectRefusal(plain, 415, -32_000)
    const packed = await send(node, {
      token,
      body: gzipSync(JSON.stringify(list)),
      headers: { 'content-encoding': 'gzip' },
    })
    expectRefusal(packed, 415, -32_000)
  })
})

describe('the protocol', () => {
  test.each<[what: string, body: object, headers: Record<string, string>, status: number, code: number]>([
    ['an unknown method', rpc('tools/cancel'), {}, 404, -32_601],
    ['a method that is not offered', rpc('resources/list'), {}, 404, -32_601],
    ['a stream of changes, which is not offered', rpc('subscriptions/listen'), {}, 404, -32_601],
    ['a header with another method', list, { 'mcp-method': 'tools/call' }, 400, -32_020],
    ['no revision in the header', list, { 'mcp-protocol-version': '' }, 400, -32_020],
    ['an unknown tool', rpc('tools/call', { name: 'pay' }), {}, 200, -32_602],
    ['no name of a tool', rpc('tools/call'), {}, 200, -32_602],
  ])('refuses %s', async (_, body, headers, status, code) => {
    const answer = await send(node, { token, body, headers })
    expect([answer.status, answer.json.error?.code], answer.text).toEqual([status, code])
    expect(answer.json.id).toBe(1)
  })

  test('lists the supported revisions', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }
    const params = { _meta: { ...list.params._meta, ...meta } }
    const answer = await send(node, {
      token,
      body: { ...list, params },
      headers: { 'mcp-protocol-version': '1900-01-01' },
    })
    expect(answer).toMatchObject({ status: 400, json: { error: { code: -32_022 } } })
    const initialize = {
      jsonrpc: '2.0',
      id: 'one',
      method: 'initialize',
      params: { protocolVersion: '1900-01-01', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    }
    const old = await send(node, { token, body: initialize, headers: { 'mcp-protocol-version': '' } })
    expect(old.json).toMatchObject({ id: 'one', result: { protocolVersion: '2025-11-25' } })
    expect(old.headers.has('mcp-session-id')).toBe(false)
  })

  test('accepts notifications', async () => {
    const body = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const headers = { 'mcp-protocol-version': '2025-11-25' }
    expect(await send(node, { token, body, headers })).toMatchObject({ status: 202, text: '' })
  })

  test('needs no session, and ignores one', async () => {
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
    const headers = { 'mcp-protocol-version': '2025-06-18', 'mcp-session-id': 'of long ago' }
    const answer = await send(node, { token, body, headers })
    expect(answer.json).toMatchObject({ id: 7, result: { tools: expect.any(Array) as unknown[] } })
  })
})

test('a stopping server lets a call in progress finish', async () => {
  const other = await startTestNode({ input: { server: { port: 0 } } })
  const agent = await signedInAgent(other)
  await keyOf(other, agent)
  const input = { prompt: 'Hello [sandbox: delay=2s]', model: 'sandbox/echo' }
  const body = rpc('tools/call', { name: 'chat', arguments: input })
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const answer = send(other, { token: agent.token, body, onHead: resolve })
  await begun
  await other.stop()
  expect(await answer).toMatchObject({
    status: 200,
    json: { result: { structuredContent: { content: expect.stringContaining('Hello') as string } } },
  })
})
