import { describe, expect, test } from 'vitest'
import { internalSecret, startManagementServer, suiteManagementServer } from './testing/management-server.ts'

const anAccount = `acct_${'0'.repeat(26)}`

const server = await suiteManagementServer()

describe('every response', () => {
  test.each([
    ['200', 'GET', '/healthz', 200],
    ['200 of an admin path', 'GET', '/api/v1/admin/accounts', 200],
    ['401', 'GET', '/api/v1/admin/accounts', 401],
    ['404', 'GET', '/nothing', 404],
    ['405', 'PUT', '/healthz', 405],
  ])(
    '%s carries an identifier of its own and is neither cached nor sniffed',
    async (_, method, path, status) => {
      const secret = status === 401 ? 'wrong' : internalSecret
      const answer = await server.call(method, path, {
        secret,
        headers: { 'x-request-id': 'chosen by the caller' },
      })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      if (status >= 400) {
        expect(answer.json).toEqual({
          error: {
            message: expect.any(String),
            type: expect.any(String),
            code: status,
            param: null,
            request_id: answer.headers.get('x-request-id'),
          },
        })
      }
    },
  )
})

describe('the internal secret', () => {
  test.each([
    ['missing', null],
    ['empty', ''],
    ['wrong', `${internalSecret}x`],
    ['a prefix', internalSecret.slice(0, -1)],
  ])('%s is 401', async (_, secret) => {
    const answer = await server.call('POST', '/api/v1/admin/accounts', { secret, body: '{not json' })
    expect(answer.status).toBe(401)
    expect(answer.json.error.type).toBe('authentication_error')
  })

  test('not configured: the admin paths are 404, whatever is sent', async () => {
    const closed = await startManagementServer({ internalSecret: undefined })
    const paths = ['/api/v1/admin/accounts', '/api/v1/admin/usage', '/api/v1/admin/ledger/verify']
    for (const path of [...paths, `/api/v1/admin/accounts/${anAccount}/keys`]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await closed.call(method, path)
        expect([answer.status, answer.json.error.type]).toEqual([404, 'not_found_error'])
      }
    }
    expect((await closed.call('GET', '/healthz')).status).toBe(200)
    await closed.close()
  })
})

describe('paths and methods', () => {
  test.each([
    ['PUT', '/api/v1/admin/accounts', 'GET, HEAD, POST'],
    ['DELETE', `/api/v1/admin/accounts/${anAccount}`, 'GET, HEAD, PATCH'],
    ['GET', `/api/v1/admin/accounts/${anAccount}/credits`, 'POST'],
    ['PATCH', `/api/v1/admin/accounts/${anAccount}/keys`, 'GET, HEAD, POST'],
    ['POST', `/api/v1/admin/accounts/${anAccount}/keys/key_x`, 'DELETE, GET, HEAD, PATCH'],
    ['GET', `/api/v1/admin/accounts/${anAccount}/keys/key_x/transfer`, 'POST'],
    ['POST', `/api/v1/admin/accounts/${anAccount}/usage?days=3`, 'GET, HEAD'],
    ['POST', `/api/v1/admin/accounts/${anAccount}/ledger`, 'GET, HEAD'],
    ['POST', '/api/v1/admin/usage/export', 'GET, HEAD'],
    ['POST', '/api/v1/admin/ledger/verify', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/readyz', 'GET, HEAD'],
    ['PROPFIND', '/readyz', 'GET, HEAD'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await server.call(method, path, method === 'POST' ? { body: 'x' } : {})
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
    expect(answer.json.error).toMatchObject({ type: 'invalid_request_error', code: 405 })
  })

  test.each([
    ['/', 404],
    ['/api/v1', 404],
    ['/api/v1/admin', 404],
    ['/api/v1/admin/accounts/', 404],
    ['/api/v1/admin/accounts/acct_nonsense', 404],
    [`/api/v1/admin/accounts/${anAccount}`, 404],
    ['/api/v1/admin/accounts/%00', 404],
    ['/api/v1/admin/accounts/%ED%A0%80', 400],
    ['/api/v1/admin/accounts/%', 400],
    [`/api/v1/admin/accounts/${anAccount}/nothing`, 404],
    ['//', 404],
  ])('GET %s is %i in the envelope', async (path, status) => {
    const answer = await server.call('GET', path)
    expect([answer.status, answer.json.error.code]).toEqual([status, status])
    expect(answer.headers.get('x-request-id')).toBe(answer.json.error.request_id)
  })

  test('an overlong path parameter is 404', async () => {
    expect((await server.call('GET', `/api/v1/admin/accounts/${'a'.repeat(5000)}`)).status).toBe(404)
  })

  test('HEAD returns the head of GET and no body', async () => {
    const answer = await server.call('HEAD', '/healthz')
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('bodies', () => {
  const path = '/api/v1/admin/accounts'
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  test.each([
    ['no body', undefined, {}, 400, null],
    ['an empty body', '', {}, 400, null],
    ['malformed JSON', '{"email": ', {}, 400, null],
    ['a trailing comma', '{"email": "a@b.c",}', {}, 400, null],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, null],
    ['a list', '[]', {}, 400, null],
    ['null', 'null', {}, 400, null],
    ['a text', '"x"', {}, 400, null],
    ['nesting without end', deep, {}, 400, null],
    ['nesting without end in a field', `{"email": ${deep}}`, {}, 400, null],
    ['500 levels in a field', `{"email": ${'['.repeat(500)}${']'.repeat(500)}}`, {}, 400, 'email'],
    ['a form', 'email=a@b.c', { 'content-type': 'application/x-www-form-urlencoded' }, 415, null],
    ['plain text', '{"email": "a@b.c"}', { 'content-type': 'text/plain' }, 415, null],
    ['no type', Buffer.from('{}'), { 'content-type': '' }, 415, null],
    ['a malformed type', '{}', { 'content-type': 'json' }, 415, null],
    ['more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, {}, 413, null],
    ['__proto__', '{"email": "a@b.c", "__proto__": {"x": 1}}', {}, 400, '__proto__'],
  ])('%s', async (_, body, headers, status, param) => {
    const answer = await server.call('POST', path, { body, headers })
    expect([answer.status, answer.json.error.param]).toEqual([status, param])
    expect(answer.json.error.type).toBe(status === 413 ? 'request_too_large' : 'invalid_request_error')
  })

  test('JSON with a charset parameter is accepted', async () => {
    const headers = { 'content-type': 'application/json; charset=UTF-8' }
    expect(
      (await server.call('POST', path, { body: { email: 'charset@example.com' }, headers })).status,
    ).toBe(201)
  })
})

describe('internal failures', () => {
  test('are 500, reveal nothing, and are logged under the same request identifier', async () => {
    const failing = await startManagementServer({
      flushUsage: () => Promise.reject(new Error('disk /dev/sdb1 is on fire')),
    })
    const answer = await failing.call('GET', '/api/v1/admin/accounts')
    expect([answer.status, answer.json.error.type]).toEqual([500, 'api_error'])
    expect(answer.text).not.toContain('sdb1')
    const log = failing.told.find((line) => line.startsWith('log'))
    expect(log).toContain('sdb1')
    expect(log).toContain(answer.json.error.request_id)
    await failing.close()
  })
})

describe('health', () => {
  test('/healthz responds while the process does', async () => {
    expect((await server.call('GET', '/healthz', { secret: null })).json).toEqual({ status: 'ok' })
  })

  test.each([
    ['ok', 200],
    ['degraded', 200],
    ['starting', 503],
    ['draining', 503],
  ] as const)('/readyz of a gateway that is %s is %i', async (status, expected) => {
    const checks = { database: { status: 'ok' } } as const
    const one = await startManagementServer({ health: () => ({ status, checks }) })
    const answer = await one.call('GET', '/readyz', { secret: null })
    expect(answer.status).toBe(expected)
    expect(answer.json).toMatchObject({ status, checks })
    if (expected === 503) {
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(answer.json.error).toMatchObject({ type: 'service_unavailable', code: 503 })
    }
    await one.close()
  })
})
