import type { AuthDiscovery } from '@turnpike/http'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import { PageClient } from './testing/page-client.ts'
import { confirmDevice, newEmail, password, signUp } from './testing/sign-in.ts'

interface DeviceAuthorization {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

interface TokenAnswer {
  status: number
  error?: string
  access_token: string
  refresh_token: string
  token_type: string
  expires_in: number
}

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** RFC 8628 by hand, with nothing but the discovery document and `fetch`. */
describe.each(databases())('the device authorization grant on $engine', { timeout: 60_000 }, ({ create }) => {
  let discovery: AuthDiscovery

  const database = suiteDatabase(create)
  const node = suiteNode({ server: { port: 0 } }, { database })
  beforeAll(async () => {
    discovery = (await (await fetch(`${node.origin}/api/v1/auth/discovery`)).json()) as AuthDiscovery
  })
  afterEach(() => vi.useRealTimers())

  function form(url: string | null, fields: Record<string, string>): Promise<Response> {
    return fetch(url!, { method: 'POST', body: new URLSearchParams(fields) })
  }

  async function begin(fields: Record<string, string> = {}): Promise<DeviceAuthorization> {
    const { client_id, resource, scopes } = discovery
    const parameters = { client_id, resource, scope: scopes.join(' '), ...fields }
    const answer = await form(discovery.device_authorization_endpoint, parameters)
    expect(answer.status).toBe(200)
    return (await answer.json()) as DeviceAuthorization
  }

  async function poll(deviceCode: string): Promise<TokenAnswer> {
    const parameters = { grant_type: grantType, client_id: discovery.client_id, device_code: deviceCode }
    const answer = await form(discovery.token_endpoint, parameters)
    return { status: answer.status, ...((await answer.json()) as Omit<TokenAnswer, 'status'>) }
  }

  async function me(token: string): Promise<Record<string, unknown>> {
    const answer = await fetch(`${node.origin}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Record<string, unknown>
  }

  test('ends in a token for /api/v1/me, sign-up included', async () => {
    const device = await begin()
    expect(device.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
    expect(device.verification_uri).toBe(`${node.origin}/oidc/device`)
    expect([device.expires_in, device.interval]).toEqual([600, 5])
    expect(await poll(device.device_code)).toMatchObject({ status: 400, error: 'authorization_pending' })

    const client = new PageClient()
    const entry = await client.get(device.verification_uri)
    expect(entry.title).toBe('Connect a device')
    const confirmation = await client.submit(entry, '/device', { user_code: device.user_code.toLowerCase() })
    expect(confirmation.title).toBe('Connect this device?')
    for (const shown of [device.user_code, 'Turnpike command line', '127.0.0.1'])
      expect(confirmation.text).toContain(shown)
    const signIn = await client.submit(confirmation, '/device')
    expect(signIn.title).toBe('Sign in')
    const email = newEmail()
    const done = await signUp(client, signIn, { email: email.toUpperCase(), name: 'Ada' })
    expect(done.title).toBe('Device connected')

    const tokens = await poll(device.device_code)
    expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 3600 })
    const account = await me(tokens.access_token)
    expect(account).toMatchObject({ email, display_name: 'Ada', status: 'active', balance_usd: '0' })
    expect(account['oidc_sub']).toMatch(/^usr_/)
    const user = await node.storage.identity.users.findByEmail(email)
    expect(user?.passwordHash).toMatch(/^scrypt\$N=32768,r=8,p=3\$/)
    expect(JSON.stringify(node.log)).not.toContain(password)
    // A device code can be redeemed once.
    expect(await poll(device.device_code)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test("needs only a click in a browser that is signed in, and shows the user's name", async () => {
    const client = new PageClient()
    const email = newEmail()
    const first = await begin()
    await signUp(client, await confirmDevice(client, node.origin, first.user_code), { email })
    const second = await begin()
    const page = await client.get(second.verification_uri_complete)
    expect(page.text).toContain(`value="${second.user_code}"`)
    const confirmation = await client.submit(page, '/device', { user_code: second.user_code })
    expect(confirmation.text).toContain(email)
    expect((await client.submit(confirmation, '/device')).title).toBe('Device connected')
    const one = await poll(first.device_code)
    const other = await poll(second.device_code)
    expect((await me(one.access_token))['id']).toBe((await me(other.access_token))['id'])
  })

  test('requests all scopes by default, and accepts no other resource', async () => {
    const { user_code: userCode, device_code: deviceCode } = await begin({ scope: 'openid email' })
    const answer = await form(discovery.device_authorization_endpoint, { client_id: discovery.client_id })
    expect(answer.status).toBe(200)
    const client = new PageClient()
    const signIn = await confirmDevice(client, node.origin, userCode)
    await signUp(client, signIn, { email: newEmail() })
    expect((await poll(deviceCode)).status).toBe(200)
    const other = await form(discovery.device_authorization_endpoint, {
      client_id: discovery.client_id,
      resource: 'https://elsewhere.example',
    })
    expect([other.status, ((await other.json()) as TokenAnswer).error]).toEqual([400, 'invalid_target'])
  })

  test('returns slow_down to a client that polls too often, and adds 5 seconds each time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { device_code: code } = await begin()
    const after = async (ms: number): Promise<string | undefined> => {
      vi.setSystemTime(Date.now() + ms)
      return (await poll(code)).error
    }
    expect(await after(0)).toBe('authorization_pending')
    expect(await after(5_000)).toBe('authorization_pending')
    expect(await after(1_000)).toBe('slow_down')
    expect(await after(5_000)).toBe('slow_down')
    expect(await after(15_000)).toBe('authorization_pending')
  })

  test.each([
    ['on the confirmation page', 0],
    ['instead of signing in', 1],
  ])('returns access_denied if the user declines %s', async (_, step) => {
    const { device_code: code, user_code: userCode } = await begin()
    const client = new PageClient()
    const entry = await client.get(`${node.origin}/oidc/device`)
    const confirmation = await client.submit(entry, '/device', { user_code: userCode })
    const declined =
      step === 0
        ? await client.submit(confirmation, '/device', {}, 1)
        : await client.submit(await client.submit(confirmation, '/device'), '/cancel')
    expect(declined.title).toBe('Not connected')
    expect(await poll(code)).toMatchObject({ status: 400, error: 'access_denied' })
  })

  test('returns expired_token after ten minutes, to the device and to the user', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { device_code: code, user_code: userCode } = await begin()
    vi.setSystemTime(Date.now() + 601_000)
    expect(await poll(code)).toMatchObject({ status: 400, error: 'expired_token' })
    const client = new PageClient()
    const entry = await client.get(`${node.origin}/oidc/device`)
    const page = await client.submit(entry, '/device', { user_code: userCode })
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('This code has expired')])
  })

  test('reports an unknown code, and allows at most 20 guesses', async () => {
    const client = new PageClient()
    let page = await client.get(`${node.origin}/oidc/device`)
    page = await client.submit(page, '/device', { user_code: '' })
    expect(page.text).toContain('Enter the code')
    const statuses: number[] = []
    for (let count = 0; count < 21; count++) {
      const entry = await client.get(`${node.origin}/oidc/device`)
      page = await client.submit(entry, '/device', { user_code: `BCDF-GHJ${'BCDFGHJKLMNPQRSTVWXZK'[count]}` })
      statuses.push(page.status)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(400), 429])
    expect(page.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test.each([
    [{ client_id: 'nobody' }, 'invalid_client'],
    [{}, 'invalid_request'],
  ])('rejects a request of %j with %s', async (fields, error) => {
    const answer = await form(discovery.device_authorization_endpoint, fields)
    expect(((await answer.json()) as TokenAnswer).error).toBe(error)
  })
})
