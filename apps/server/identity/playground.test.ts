import { describe, expect, test, vi } from 'vitest'
import { suiteIssuer } from './testing/suite-issuer.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'

const resource = 'https://api.gateway.example'
const path = '/api/v1/playground/chat/completions'
const hello = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello there' }] }

interface Row {
  id: string
  key_id: string
  outcome: string
  cost_usd: string
  tags: string[]
}

/** The playground's access to the models: with a session, that is, a user's token. */
describe('the playground', () => {
  const issuer = suiteIssuer()
  const node = suiteNode(() => {
    const limits = { burst_per_key_per_second: 10, tiers: { free: {} } }
    const identity = { name: 'logto', issuer: issuer.address, client_id: 'cli', resource }
    return { server: { port: 0 }, identity, limits }
  })

  const bearer = async (claims: Record<string, unknown> = {}): Promise<string> =>
    `Bearer ${await issuer.token({ aud: resource, sub: 'user-1', ...claims })}`

  const ask = async (
    headers: Record<string, string>,
    body: unknown = hello,
    signal?: AbortSignal,
  ): Promise<Response> =>
    fetch(`${node.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })

  async function call<Body>(at: string, authorization: string, init: RequestInit = {}): Promise<Body> {
    const headers = { authorization, 'content-type': 'application/json' }
    return (await fetch(`${node.origin}/api/v1${at}`, { ...init, headers })).json() as Promise<Body>
  }

  /** A person with this much credit. */
  async function person(sub: string, amountUsd: string): Promise<{ authorization: string; id: string }> {
    const authorization = await bearer({ sub })
    const { id } = await call<{ id: string }>('/me', authorization)
    const body = { amount_usd: amountUsd, kind: 'grant', reason: 'test' }
    await node.admin(`/accounts/${id}/credits`, { method: 'POST', body })
    return { authorization, id }
  }

  const rows = async (authorization: string, query = ''): Promise<Row[]> =>
    (await call<{ data: Row[] }>(`/usage/requests${query}`, authorization)).data

  test('uses the session and the account’s credit, without a key of the owner', async () => {
    const { authorization } = await person('ada', '5')
    const answer = await ask({ authorization })
    expect(answer.status).toBe(200)
    const { usage } = (await answer.json()) as { usage: { cost_usd: string } }
    const me = await call<{ balance_usd: string; playground_key_id: string }>('/me', authorization)
    expect(Number(me.balance_usd)).toBeCloseTo(5 - Number(usage.cost_usd), 12)
    const [row] = await rows(authorization)
    expect(row).toMatchObject({
      id: answer.headers.get('x-request-id'),
      key_id: me.playground_key_id,
      cost_usd: usage.cost_usd,
    })
    expect(await rows(authorization, `?key_id=${me.playground_key_id}`)).toHaveLength(1)
  })

  test('has a key that is on no list, has no record, and cannot be named', async () => {
    const { authorization, id } = await person('ben', '5')
    await ask({ authorization })
    const { playground_key_id: keyId } = await call<{ playground_key_id: string }>('/me', authorization)
    expect(keyId).toMatch(/^key_/)
    expect(await call('/me/keys', authorization)).toMatchObject({ data: [] })
    expect(await node.admin(`/accounts/${id}/keys`)).toMatchObject({ data: [] })
    const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })
    const unknown = { error: { type: 'not_found_error' } }
    for (const [at, init] of [
      [`/me/keys/${keyId}`, {}],
      [`/me/keys/${keyId}`, { method: 'DELETE' }],
      [`/me/keys/${keyId}`, { method: 'PATCH', body: '{"name":"mine"}' }],
      [`/me/keys/${keyId}/rotate`, post({})],
      ['/me/keys', post({ name: 'x', draws_on: keyId })],
      ['/topup', post({ amount_usd: '5', key_id: keyId })],
    ] as const)
      expect(await call(at, authorization, init), `${init.method} ${at}`).toMatchObject(unknown)
    const grant = { amount_usd: '1', kind: 'grant', reason: 'x', key_id: keyId }
    await expect(node.admin(`/accounts/${id}/credits`, { method: 'POST', body: grant })).rejects.toThrow(
      '404',
    )
    const other = await bearer({ sub: 'mallory' })
    expect(await call(`/usage/requests?key_id=${keyId}`, other)).toMatchObject(unknown)
    const made = await call<{ id: string; balance_usd: string; draws_on: null }>(
      '/me/keys',
      authorization,
      post({ name: 'first' }),
    )
    expect(made.draws_on).toBeNull()
    expect(Number(made.balance_usd)).toBeGreaterThan(4.9)
    expect((await ask({ authorization })).status).toBe(200)
  })

  test.each<[string, () => Promise<Record<string, string>> | Record<string, string>, number]>([
    ['no token', () => ({}), 401],
    ['an API key', async () => ({ authorization: `Bearer ${(await node.createKey()).raw}` }), 401],
    ['an API key in another header', async () => ({ 'x-api-key': (await node.createKey()).raw }), 401],
    ['a token of an expired session', async () => ({ authorization: await bearer({ exp: 1 }) }), 401],
    [
      'a token for another resource',
      async () => ({ authorization: await bearer({ aud: 'https://x.test' }) }),
      401,
    ],
    [
      'a page of another origin',
      async () => ({ authorization: await bearer({ sub: 'ada' }), origin: 'https://evil.test' }),
      403,
    ],
    [
      'a page without an origin',
      async () => ({ authorization: await bearer({ sub: 'ada' }), origin: 'null' }),
      403,
    ],
    ['a cookie', () => ({ cookie: 'session=1', origin: node.origin }), 401],
  ])('refuses %s', async (_, headers, status) => {
    const answer = await ask(await headers())
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    await answer.body?.cancel()
  })

  test('reveals nothing to browsers of other origins, and accepts only POST', async () => {
    const preflight = await fetch(`${node.origin}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' },
    })
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([405, 'POST'])
    for (const [name] of preflight.headers) expect(name).not.toMatch(/^access-control/)
    for (const other of [`${path}x`, '/api/v1/playground', '/api/v1/playground/responses'])
      expect((await fetch(node.origin + other, { method: 'POST' })).status, other).toBe(404)
  })

  test('is open only to the gateway’s own page, and to no suspended account', async () => {
    const { authorization, id } = await person('cleo', '5')
    expect((await ask({ authorization, origin: node.origin })).status).toBe(200)
    expect((await ask({ authorization, origin: node.origin.replace('127.0.0.1', 'localhost') })).status).toBe(
      403,
    )
    await node.admin(`/accounts/${id}`, { method: 'PATCH', body: { status: 'suspended' } })
    expect((await ask({ authorization })).status).toBe(403)
  })

  test('returns 402 without credit, and spends no more than the account has', async () => {
    const authorization = await bearer({ sub: 'dan' })
    await call('/me', authorization)
    const refused = await ask({ authorization })
    expect(refused.status).toBe(402)
    expect(await refused.json()).toMatchObject({ error: { type: 'insufficient_quota' } })
  })

  test('does not open other paths to a session: they still need a key’s secret', async () => {
    const authorization = await bearer({ sub: 'ada' })
    for (const at of ['/v1/chat/completions', '/v1/models', '/v1/messages']) {
      const answer = await fetch(`${node.origin}${at}`, {
        method: at === '/v1/models' ? 'GET' : 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        ...(at !== '/v1/models' && { body: JSON.stringify(hello) }),
      })
      expect(answer.status, at).toBe(401)
    }
  })

  test('records the cost of a stopped answer in its row', async () => {
    const { authorization } = await person('eve', '5')
    const controller = new AbortController()
    const slow = {
      ...hello,
      stream: true,
      messages: [{ role: 'user', content: 'Go on [sandbox: tokens=2000 pace=50/s]' }],
    }
    const answer = await ask({ authorization }, slow, controller.signal)
    const id = answer.headers.get('x-request-id')!
    await answer.body!.getReader().read()
    controller.abort()
    const row = await vi.waitFor(async () => {
      const found = (await rows(authorization)).find((one) => one.id === id)
      expect(found).toBeDefined()
      return found!
    }, 10_000)
    expect(row.outcome).toBe('client_closed')
    expect(Number(row.cost_usd)).toBeGreaterThan(0)
  })

  test('is subject to the account’s limits', async () => {
    const { authorization } = await person('flo', '5')
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask({ authorization })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(429)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })
})
