import { describe, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../nodes/test-node.ts'
import { suiteKey, suiteNode } from '../nodes/suite.ts'

/* The Fetch standard's CORS protocol as a browser uses it, tested without a browser. */

const page = 'https://app.example.com'
const question = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] }
const paths = ['/v1/chat/completions', '/v1/models', '/v1/models/sandbox/echo', '/v1/nothing'] as const

/** The headers of an SDK's request, for which the browser first sends a preflight without a key. */
function preflight(node: TestNode, path: string, origin: string = page): Promise<Response> {
  return fetch(node.origin + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-stainless-os',
    },
  })
}

/** A response's CORS headers, and `vary`. */
function toldTo({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  )
}

const readable = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }

describe('pages of any origin, which is the default', () => {
  const node = suiteNode()
  const key = suiteKey(node)

  test.each(paths)('may request %s, with any header', async (path) => {
    const answer = await preflight(node, path)
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/u)
    expect(toldTo(answer)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-allow-headers': 'authorization, *',
      'access-control-max-age': '7200',
    })
  })

  test('may read an answer, plain or streamed', async () => {
    const whole = await node.chat(key, question, { headers: { origin: page } })
    expect([whole.status, toldTo(whole)]).toEqual([200, readable])
    const stream = await node.chat(key, { ...question, stream: true }, { headers: { origin: page } })
    expect([stream.status, toldTo(stream)]).toEqual([200, readable])
    expect(await stream.text()).toMatch(/data: \[DONE\]\n\n$/u)
  })

  test.each([
    ['401', 'GET', '/v1/models', undefined],
    ['404', 'GET', '/v1/nothing', undefined],
    ['405', 'GET', '/v1/chat/completions', undefined],
    ['400', 'POST', '/v1/chat/completions', '{}'],
  ])('may read the error %s', async (status, method, path, body) => {
    const authorization = status === '401' ? 'Bearer sk-turnpike-wrong' : `Bearer ${key.raw}`
    const headers = { origin: page, authorization, 'content-type': 'application/json' }
    const answer = await fetch(node.origin + path, { method, headers, ...(body && { body }) })
    expect([String(answer.status), toldTo(answer)]).toEqual([status, readable])
    expect(await answer.json()).toMatchObject({ error: { code: Number(status) } })
  })

  test('other clients get no CORS headers', async () => {
    expect(toldTo(await node.chat(key, question))).toEqual({})
    const options = await fetch(`${node.origin}/v1/models`, { method: 'OPTIONS' })
    expect([options.status, toldTo(options)]).toEqual([405, {}])
  })

  test('OPTIONS without a requested method is no preflight', async () => {
    const answer = await fetch(`${node.origin}/v1/models`, { method: 'OPTIONS', headers: { origin: page } })
    expect([answer.status, toldTo(answer)]).toEqual([405, readable])
  })

  test.each([
    '/api/v1/me',
    '/api/v1/auth/discovery',
    '/api/v1/admin/accounts',
    '/openapi.json',
    '/healthz',
    '/',
  ])('may not read %s', async (path) => {
    const answers = [
      await preflight(node, path),
      await fetch(node.origin + path, { headers: { origin: page } }),
    ]
    for (const answer of answers)
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, null])
  })
})

test('a page may read that the gateway is overloaded', async () => {
  const node = await startTestNode({ input: { overload: { max_requests: 1 } } })
  const key = await node.createKey()
  const leaving = new AbortController()
  const stalled = [{ role: 'user', content: 'Hello [sandbox: pace=0 stall=2]' }]
  await node.chat(key, { ...question, messages: stalled, stream: true }, { signal: leaving.signal })
  const answer = await node.chat(key, question, { headers: { origin: page } })
  expect([answer.status, toldTo(answer)]).toEqual([503, readable])
  leaving.abort()
  await node.stop()
})

describe('pages of listed origins', () => {
  const node = suiteNode({ cors: { allowed_origins: [page, 'http://localhost:5173'] } })
  const key = suiteKey(node)

  test('may read, and caches know that others may not', async () => {
    const asked = await preflight(node, '/v1/models', 'http://localhost:5173')
    expect(asked.status).toBe(204)
    expect(toldTo(asked)).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      vary: 'origin',
    })
    const answer = await node.chat(key, question, { headers: { origin: page } })
    expect(toldTo(answer)).toEqual({ ...readable, 'access-control-allow-origin': page, vary: 'origin' })
  })

  test.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'null',
  ])('exclude %s', async (origin) => {
    const asked = await preflight(node, '/v1/models', origin)
    expect([asked.status, toldTo(asked)]).toEqual([403, { vary: 'origin' }])
    const error = { type: 'permission_error', code: 403, message: expect.stringContaining(origin) as string }
    expect(await asked.json()).toMatchObject({ error })
    const answer = await node.chat(key, question, { headers: { origin } })
    expect([answer.status, toldTo(answer)]).toEqual([200, { vary: 'origin' }])
  })
})

test('pages of no origin get no CORS headers', async () => {
  const node = await startTestNode({ input: { cors: { allowed_origins: [] } } })
  const asked = await preflight(node, '/v1/models')
  expect([asked.status, asked.headers.get('allow'), toldTo(asked)]).toEqual([405, 'GET, HEAD', {}])
  const key = await node.createKey()
  expect(toldTo(await node.chat(key, question, { headers: { origin: page } }))).toEqual({})
  await node.stop()
})
