import { isRefused, type McpAccess } from '@turnpike/identity'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import { callAs, loginByDevice } from './testing/device-login.ts'
import { allow, McpClient, mcpRedirectUri, newPersonAt } from './testing/mcp-client.ts'
import { mcpVerifierOf } from './testing/mcp-verifier.ts'
import { PageClient, type SeenPage } from './testing/page-client.ts'
import { newEmail, password, signUp } from './testing/sign-in.ts'

const everything = ['usage:read', 'alerts:read', 'keys:write', 'budgets:write', 'topup:write', 'chat']

/** Runs the official SDK's own authorization against the embedded provider. */
describe.each(databases())('an MCP client on $engine', { timeout: 60_000 }, ({ create }) => {
  const database = suiteDatabase(create)
  const node = suiteNode({ server: { port: 0, trusted_proxies: ['127.0.0.1'] } }, { database })

  const newClient = (): McpClient => new McpClient(`${node.origin}/mcp`)

  async function connect(
    scopes: readonly string[] = everything,
    { client = newClient(), pages = new PageClient() } = {},
  ): Promise<{ client: McpClient; pages: PageClient; token: string; back: SeenPage }> {
    const consent = await newPersonAt(await client.begin(), pages)
    const back = await allow(pages, consent, scopes)
    const { access_token: token } = await client.finish(back)
    return { client, pages, token, back }
  }

  async function accessOf(token: string): Promise<McpAccess> {
    const access = await mcpVerifierOf(node).verify(`Bearer ${token}`)
    if (isRefused(access)) throw new Error(access.message)
    return access
  }

  /** 200 if the MCP server accepts the token. */
  async function statusOf(token: string): Promise<number> {
    const access = await mcpVerifierOf(node).verify(`Bearer ${token}`)
    return isRefused(access) ? access.status : 200
  }

  test('registers, asks the person, and gets what was granted', async () => {
    const client = newClient()
    const url = await client.begin()
    expect(url.searchParams.get('resource')).toBe(`${node.origin}/mcp`)
    const pages = new PageClient()
    const consent = await newPersonAt(url, pages)
    expect(consent.title).toBe('Allow access?')
    for (const text of ['Test Agent', 'localhost:49321', 'never pays', 'not verified'])
      expect(consent.text).toContain(text)
    const tokens = await client.finish(await allow(pages, consent, ['usage:read', 'chat']))
    expect(tokens).toMatchObject({ scope: 'usage:read chat', token_type: 'Bearer', expires_in: 3600 })
    expect(tokens).not.toHaveProperty('id_token')
    const access = await accessOf(tokens.access_token)
    expect(access).toMatchObject({ clientName: 'Test Agent', clientId: client.saved.client!.client_id })
    expect([...access.scopes]).toEqual(['usage:read', 'chat'])
    expect(access.account.email).toContain('@example.com')

    const renewed = await client.refresh()
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    expect(renewed.scope).toBe('usage:read chat')
    expect(await accessOf(renewed.access_token)).toMatchObject({ accountId: access.accountId })
  })

  test('gets a token for the MCP server only, which does not reveal who the person is', async () => {
    const { token } = await connect()
    expect((await callAs(node.origin, { access_token: token }, '/me')).status).toBe(401)
    const [, payload = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    expect(claims).toMatchObject({ aud: `${node.origin}/mcp`, client_name: 'Test Agent' })
    for (const personal of ['email', 'email_verified', 'name']) expect(claims).not.toHaveProperty(personal)
    const user = await loginByDevice(node.origin, { email: newEmail() })
    const refusal = await mcpVerifierOf(node).verify(`Bearer ${user.access_token}`)
    expect(refusal).toMatchObject({
      status: 401,
      wwwAuthenticate: expect.stringContaining(
        `resource_metadata="${node.origin}/.well-known/oauth-protected-resource/mcp"`,
      ) as string,
    })
  })

  test('asks the person at each sign-in, and each sign-in has its own permissions', async () => {
    const first = await connect()
    const again = newClient()
    again.saved.client = first.client.saved.client!
    const url = await again.begin()
    const silent = new URL(url)
    silent.searchParams.set('prompt', 'none')
    expect((await first.pages.get(silent.href)).text).toMatch(/(interaction|consent)_required/)
    const consent = await first.pages.get(url.href)
    expect(consent.title).toBe('Allow access?')
    const second = await again.finish(await allow(first.pages, consent, ['usage:read']))
    expect([...(await accessOf(second.access_token)).scopes]).toEqual(['usage:read'])
    expect((await again.refresh()).scope).toBe('usage:read')
    expect([...(await accessOf(first.token)).scopes]).toEqual(everything)
  })

  test('may request less, and gets no more if the form is changed', async () => {
    const client = newClient()
    const pages = new PageClient()
    const consent = await newPersonAt(await client.begin('openid email usage:read admin'), pages)
    expect(consent.text).not.toContain('keys:write')
    const tokens = await client.finish(await allow(pages, consent, [...everything, 'openid', 'email']))
    expect(tokens.scope).toBe('usage:read')
    expect(tokens).not.toHaveProperty('id_token')
    expect([...(await accessOf(tokens.access_token)).scopes]).toEqual(['usage:read'])
  })

  test('gets nothing if the person grants nothing, or declines', async () => {
    const client = newClient()
    const pages = new PageClient()
    const consent = await newPersonAt(await client.begin(), pages)
    const page = await allow(pages, consent, [])
    expect(page).toMatchObject({ status: 400, title: 'Allow access?' })
    expect(page.text).toContain('Choose at least one')
    const form = { csrf_token: 'of another site', scope: 'chat' }
    const { action } = consent.forms.find((one) => one.action.endsWith('/consent'))!
    expect((await pages.post(node.origin + action, form)).status).toBe(403)
    const declined = await pages.submit(page, '/cancel')
    expect(declined.url).toContain('error=access_denied')
    expect(declined.url).toContain(`iss=${encodeURIComponent(`${node.origin}/oidc`)}`)
  })

  describe('loses its access', () => {
    test('when it revokes its refresh token', async () => {
      const { client, token } = await connect()
      const { client_id: clientId } = client.saved.client!
      const form = { token: client.saved.tokens!.refresh_token!, client_id: clientId }
      const body = new URLSearchParams(form)
      expect((await fetch(`${node.origin}/oidc/revoke`, { method: 'POST', body })).status).toBe(200)
      expect(await statusOf(token)).toBe(401)
    })

    test('when a refresh token or a code is used twice', async () => {
      const { client, token } = await connect()
      const old = { ...client.saved }
      const { access_token: renewed } = await client.refresh()
      expect(await statusOf(renewed)).toBe(200)
      const thief = newClient()
      thief.saved = old
      await expect(thief.refresh()).rejects.toThrow()
      for (const one of [token, renewed]) expect(await statusOf(one)).toBe(401)

      const second = await connect()
      await expect(second.client.finish(second.back)).rejects.toThrow()
      expect(await statusOf(second.token)).toBe(401)
    })

    test('when the login ends because its owner recovers the address', async () => {
      const email = newEmail()
      const invited = async (): Promise<string> =>
        (await node.admin<{ code: string }>('/identity/invites', { method: 'POST', body: { email } })).code
      const client = newClient()
      const pages = new PageClient()
      const begun = await client.begin()
      const consent = await signUp(pages, await pages.get(begun.href), {
        email,
        invite_code: await invited(),
      })
      const { access_token: token } = await client.finish(await allow(pages, consent, everything))
      expect(await statusOf(token)).toBe(200)
      const fields = { email, invite_code: await invited(), password: `${password} anew` }
      await loginByDevice(node.origin, fields)
      expect(await statusOf(token)).toBe(401)
      await expect(client.refresh()).rejects.toThrow()
    })

    test('while the account is suspended, but not when its person signs out in a browser', async () => {
      const { pages, token, client } = await connect()
      const { accountId } = await accessOf(token)
      await pages.submit(await pages.get(`${node.origin}/oidc/sign-out`), '/confirm')
      expect(await statusOf(token)).toBe(200)
      expect(await statusOf((await client.refresh()).access_token)).toBe(200)
      const status = async (to: string): Promise<unknown> =>
        node.admin(`/accounts/${accountId}`, { method: 'PATCH', body: { status: to } })
      await status('suspended')
      expect(await statusOf(token)).toBe(403)
      await status('active')
      expect(await statusOf(token)).toBe(200)
    })
  })

  test("is in its person's list, can be ended there at once, and only by that person", async () => {
    const pages = new PageClient()
    const user = await loginByDevice(node.origin, { email: newEmail() }, pages)
    const apps = async (tokens = user): Promise<Record<string, unknown>[]> =>
      (await callAs(node.origin, tokens, '/me/connected-apps')).body['data'] as Record<string, unknown>[]
    expect(await apps()).toEqual([])
    const client = newClient()
    const consent = await pages.get((await client.begin()).href)
    expect(consent.title).toBe('Allow access?')
    const { access_token: token } = await client.finish(await allow(pages, consent, ['chat']))
    await client.refresh()
    const [app, ...others] = await apps()
    expect(app).toMatchObject({ object: 'connected_app', name: 'Test Agent', host: null, scopes: ['chat'] })
    expect(others).toEqual([])
    for (const time of ['created_at', 'last_renewed_at'])
      expect(Math.abs(Number(app![time]) - Date.now() / 1000)).toBeLessThan(60)

    const neighbour = await loginByDevice(node.origin, { email: newEmail() })
    expect(await apps(neighbour)).toEqual([])
    const path = `/me/connected-apps/${String(app!['id'])}`
    expect((await callAs(node.origin, neighbour, path, { method: 'DELETE' })).status).toBe(404)
    expect(await statusOf(token)).toBe(200)
    expect(await callAs(node.origin, user, path, { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { id: app!['id'], deleted: true },
    })
    expect(await statusOf(token)).toBe(401)
    await expect(client.refresh()).rejects.toThrow()
    expect(await apps()).toEqual([])
    expect((await callAs(node.origin, user, path, { method: 'DELETE' })).status).toBe(404)
  })

  test('may return to another port of the loopback address, and nowhere else', async () => {
    const client = newClient()
    const url = await client.begin()
    const at = async (redirect: string): Promise<SeenPage> => {
      url.searchParams.set('redirect_uri', redirect)
      return new PageClient().get(url.href)
    }
    expect((await at('http://localhost:50000/callback')).title).toBe('Sign in')
    for (const redirect of [
      `${mcpRedirectUri}/more`,
      'http://127.0.0.1:49321/callback',
      'https://localhost:49321/callback',
      'https://evil.example/callback',
      `${node.origin}/dashboard/callback`,
    ])
      expect((await at(redirect)).text).toContain('invalid_redirect_uri')
  })
})
