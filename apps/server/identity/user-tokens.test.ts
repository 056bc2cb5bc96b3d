import { describe, expect, test } from 'vitest'
import { newSigner } from '../../../packages/identity/testing/token-signer.ts'
import { startTestNode } from '../../../tests/nodes/test-node.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'
import { IssuerServer } from './testing/issuer-server.ts'
import { suiteIssuer } from './testing/suite-issuer.ts'

const resource = 'https://api.gateway.example'

/** A whole node with an external issuer, which takes a few lines of configuration. */
describe('tokens of an external issuer', () => {
  const issuer = suiteIssuer()
  const node = suiteNode(() => {
    const identity = { name: 'logto', issuer: issuer.address, client_id: 'cli', resource }
    const admin = { operators: ['Ops@example.com'] }
    return { server: { port: 0 }, identity, admin }
  })

  function me(authorization?: string): Promise<Response> {
    return fetch(`${node.origin}/api/v1/me`, {
      headers: authorization === undefined ? {} : { authorization },
    })
  }

  async function bearer(claims: Record<string, unknown> = {}): Promise<string> {
    return `Bearer ${await issuer.token({ aud: resource, sub: 'user-1', ...claims })}`
  }

  test('create an account on first use, and update its profile', async () => {
    const claims = { sub: 'ada', email: 'ada@example.com', name: 'Ada' }
    const first = (await (await me(await bearer(claims))).json()) as Record<string, unknown>
    expect(first).toMatchObject({ logto_sub: 'ada', email: 'ada@example.com', display_name: 'Ada' })
    const second = await (await me(await bearer({ ...claims, email: 'ada@new.example' }))).json()
    expect(second).toEqual({ ...first, email: 'ada@new.example' })
  })

  test.each<[string, () => Promise<string | undefined> | string | undefined, string]>([
    ['no header', () => undefined, 'Bearer'],
    ['an expired token', () => bearer({ exp: 1 }), 'The token has expired'],
    ['an early token', () => bearer({ nbf: 4_000_000_000 }), 'nbf'],
    ['a token of another issuer', () => bearer({ iss: 'https://evil.example' }), 'iss'],
    ['a token for another resource', () => bearer({ aud: 'https://other.example' }), 'aud'],
    ['a token for the client', () => bearer({ aud: 'cli' }), 'aud'],
    ['an API key', () => 'Bearer sk-turnpike-0000', 'not valid'],
    ['a token of 10 kB', () => `Bearer ${'a'.repeat(10_000)}`, 'longer than 8192'],
    ['two tokens', () => 'Bearer aaa, Bearer bbb', 'one bearer token'],
    ['a password', () => 'Basic YTpi', 'one bearer token'],
    ['an empty token', () => 'Bearer ', 'one bearer token'],
  ])('get 401 with WWW-Authenticate for %s', async (_, make, reason) => {
    const answer = await me(await make())
    const { error } = (await answer.json()) as { error: { type: string; message: string } }
    expect([answer.status, error.type]).toEqual([401, 'authentication_error'])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(answer.headers.get('www-authenticate') + error.message).toContain(reason)
  })

  test('open the admin endpoints to verified addresses that the configuration lists', async () => {
    const accounts = (authorization: string): Promise<Response> =>
      fetch(`${node.origin}/api/v1/admin/accounts`, { headers: { authorization } })
    const operator = await bearer({ sub: 'ops', email: 'ops@Example.com', email_verified: true })
    expect((await accounts(operator)).status).toBe(200)
    expect(await (await me(operator)).json()).toMatchObject({ operator: true, email: 'ops@example.com' })
    for (const claims of [
      { email: 'ops@example.com' },
      { email: 'ops@example.com', email_verified: 'true' },
      { email: 'ops@example.com.evil.example', email_verified: true },
      { email_verified: true },
    ]) {
      const other = await bearer({ sub: 'not-ops', ...claims })
      expect((await accounts(other)).status, JSON.stringify(claims)).toBe(404)
      expect(await (await me(other)).json()).toMatchObject({ operator: false })
    }
    // The claims of one token apply to that token only.
    expect((await accounts(await bearer({ sub: 'ops' }))).status).toBe(404)
    expect((await accounts(await bearer({ sub: 'ops', email_verified: true, exp: 1 }))).status).toBe(401)
  })

  test('with unknown keys cause one request to the issuer in 10 seconds', async () => {
    const before = issuer.requestedPaths.length
    const stranger = await newSigner('ES256', 'stranger')
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const token = await issuer.token({ aud: resource, sub: 'x' }, stranger, `stranger-${index}`)
        return me(`Bearer ${token}`)
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(issuer.requestedPaths.length - before).toBeLessThanOrEqual(2)
  })

  test('get 403 while the account is suspended, like its key; both work once it is active', async () => {
    const token = await bearer({ sub: 'suspended' })
    const { id } = (await (await me(token)).json()) as { id: string }
    const key = await node.createKey({ accountId: id })
    const statuses = async (): Promise<number[]> => [
      (await me(token)).status,
      (await node.chat(key, { model: 'sandbox/echo', messages: [{ role: 'user', content: 'x' }] })).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    for (const status of ['suspended', 'closed']) {
      await node.admin(`/accounts/${id}`, { method: 'PATCH', body: { status } })
      expect(await statuses()).toEqual([403, 403])
    }
    await node.admin(`/accounts/${id}`, { method: 'PATCH', body: { status: 'active' } })
    expect(await statuses()).toEqual([200, 200])
  })

  test('claim an account that was created by email only for the owner of the address', async () => {
    const email = 'invited@example.com'
    const { id } = await node.admin<{ id: string }>('/accounts', { method: 'POST', body: { email } })
    const idOf = async (claims: Record<string, unknown>): Promise<unknown> =>
      ((await (await me(await bearer({ email, ...claims }))).json()) as { id: string }).id
    expect(await idOf({ sub: 'eve' })).not.toBe(id)
    expect(await idOf({ sub: 'eve', email_verified: 'true' })).not.toBe(id)
    expect(await idOf({ sub: 'owner', email_verified: true })).toBe(id)
  })

  test('are described in the discovery document, and the embedded provider is off', async () => {
    const answer = await fetch(`${node.origin}/api/v1/auth/discovery`)
    expect(await answer.json()).toMatchObject({
      issuer: issuer.address,
      client_id: 'cli',
      token_endpoint: `${issuer.address}/token`,
      device_authorization_endpoint: null,
      resource,
    })
    expect((await fetch(`${node.origin}/oidc/device`)).status).toBe(404)
    await expect(node.admin('/identity/keys/rotate', { method: 'POST' })).rejects.toThrow(/404/)
  })

  test('stay valid while the issuer is unavailable', async () => {
    const token = await bearer()
    expect((await me(token)).status).toBe(200)
    await issuer.stop()
    expect((await me(token)).status).toBe(200)
    expect((await me(await bearer({ sub: 'newcomer' }))).status).toBe(200)
    expect((await fetch(`${node.origin}/api/v1/auth/discovery`)).status).toBe(200)
  })
})

test('tokens get 503 if the issuer was never reached, and API keys still work', async () => {
  const issuer = await IssuerServer.start()
  const token = await issuer.token({ aud: resource, sub: 'x' })
  await issuer.stop()
  const identity = { issuer: issuer.address, client_id: 'cli', resource }
  const node = await startTestNode({ input: { server: { port: 0 }, identity } })
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${node.origin}/api/v1/me`, { headers })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
  const key = await node.createKey()
  const chat = await node.chat(key, { model: 'sandbox/echo', messages: [{ role: 'user', content: 'x' }] })
  expect(chat.status).toBe(200)
  await node.stop()
})
