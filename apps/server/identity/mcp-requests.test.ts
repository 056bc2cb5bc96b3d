import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { beginDevice } from './testing/device-login.ts'
import { allow, McpClient, mcpRedirectUri, newPersonAt } from './testing/mcp-client.ts'
import { PageClient } from './testing/page-client.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** The discovery, registration and requests of MCP clients, written by hand. */
describe('requests of MCP clients', { timeout: 60_000 }, () => {
  const node = suiteNode({ server: { port: 0, trusted_proxies: ['127.0.0.1'] } })

  let visitors = 0
  /** Each registration comes from a new address, because they are counted by address. */
  function register(body: unknown, from = `198.51.100.${++visitors}`): Promise<Response> {
    return fetch(`${node.origin}/oidc/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  async function registeredId(more: Record<string, unknown> = {}): Promise<string> {
    const answer = await register({ client_name: 'Agent', redirect_uris: [mcpRedirectUri], ...more })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { client_id: string }).client_id
  }

  function authorizationUrl(clientId: string, more: Record<string, string> = {}): URL {
    const url = new URL(`${node.origin}/oidc/auth`)
    const fields = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: mcpRedirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${node.origin}/mcp`,
      scope: 'usage:read chat',
      ...more,
    }
    for (const [name, value] of Object.entries(fields)) if (value !== '') url.searchParams.set(name, value)
    return url
  }

  /** The error on the page, or in the redirect back to the client. */
  async function outcomeOf(clientId: string, more: Record<string, string> = {}): Promise<string> {
    const page = await new PageClient().get(authorizationUrl(clientId, more).href)
    return page.url + page.text
  }

  async function token(clientId: string, fields: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ client_id: clientId, ...fields })
    return fetch(`${node.origin}/oidc/token`, { method: 'POST', body })
  }

  describe('the metadata', () => {
    test('of the protected resource is at the standard addresses, also for web pages', async () => {
      for (const path of ['', '/mcp']) {
        const address = `${node.origin}/.well-known/oauth-protected-resource${path}`
        const answer = await fetch(address, { headers: { origin: 'https://app.example' } })
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        expect(await answer.json()).toEqual({
          resource: `${node.origin}/mcp`,
          authorization_servers: [`${node.origin}/oidc`],
          scopes_supported: [
            'usage:read',
            'alerts:read',
            'keys:write',
            'budgets:write',
            'topup:write',
            'chat',
          ],
          bearer_methods_supported: ['header'],
          resource_name: 'Turnpike',
        })
        const preflight = await fetch(address, { method: 'OPTIONS' })
        expect(preflight.status).toBe(204)
        expect(preflight.headers.get('access-control-allow-headers')).toBe('*')
      }
    })

    test('of the authorization server is at all addresses for an issuer with a path', async () => {
      for (const path of [
        '/.well-known/oauth-authorization-server/oidc',
        '/.well-known/openid-configuration/oidc',
        '/oidc/.well-known/openid-configuration',
        '/oidc/.well-known/oauth-authorization-server',
      ]) {
        const answer = await fetch(node.origin + path, { headers: { origin: 'https://app.example' } })
        expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
        expect(await answer.json(), path).toMatchObject({
          issuer: `${node.origin}/oidc`,
          authorization_endpoint: `${node.origin}/oidc/auth`,
          token_endpoint: `${node.origin}/oidc/token`,
          registration_endpoint: `${node.origin}/oidc/register`,
          code_challenge_methods_supported: ['S256'],
          client_id_metadata_document_supported: true,
          authorization_response_iss_parameter_supported: true,
          token_endpoint_auth_methods_supported: ['none'],
          scopes_supported: expect.arrayContaining(['usage:read', 'chat']) as string[],
        })
      }
    })

    test("of Claude Code's sign-in is at the root, and contains nothing else", async () => {
      const answer = await fetch(`${node.origin}/.well-known/oauth-authorization-server`)
      const metadata = (await answer.json()) as Record<string, unknown>
      expect(metadata).toMatchObject({ issuer: node.origin, gateway_protocol_version: 1 })
      expect(metadata).not.toHaveProperty('authorization_endpoint')
    })
  })

  describe('a registration', () => {
    test('creates a public client, whatever it requests', async () => {
      const answer = await register({
        client_name: ' Evil\u202e\n<b>Agent</b> ',
        redirect_uris: [mcpRedirectUri, 'https://app.example/callback'],
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'client_credentials'],
        scope: 'openid admin',
        logo_uri: 'http://169.254.169.254/',
      })
      expect(answer.status).toBe(201)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const body = (await answer.json()) as Record<string, unknown>
      expect(body).toEqual({
        client_id: expect.stringMatching(/^app_/) as string,
        client_id_issued_at: expect.any(Number) as number,
        client_name: 'Evil <b>Agent</b>',
        redirect_uris: [mcpRedirectUri, 'https://app.example/callback'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: 'usage:read alerts:read keys:write budgets:write topup:write chat',
      })
      const page = await new PageClient().get(authorizationUrl(String(body['client_id'])).href)
      expect(page.text).toContain('app “Evil &lt;b&gt;Agent&lt;/b&gt;”')
    })

    test.each<[string, unknown, string]>([
      ['no redirects', {}, 'invalid_redirect_uri'],
      [
        'too many',
        { redirect_uris: Array.from({ length: 11 }, () => mcpRedirectUri) },
        'invalid_redirect_uri',
      ],
      ['http elsewhere', { redirect_uris: ['http://app.example/callback'] }, 'invalid_redirect_uri'],
      ['https on loopback', { redirect_uris: ['https://localhost/callback'] }, 'invalid_redirect_uri'],
      ['a scheme of its own', { redirect_uris: ['evil:/callback'] }, 'invalid_redirect_uri'],
      ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [
        'http on another host besides a valid one',
        { redirect_uris: [mcpRedirectUri, 'http://app.example/'] },
        'invalid_redirect_uri',
      ],
      ['a fragment', { redirect_uris: ['https://app.example/#x'] }, 'invalid_redirect_uri'],
      ['a user', { redirect_uris: ['https://localhost@evil.example/'] }, 'invalid_redirect_uri'],
      ['a backslash', { redirect_uris: ['https://app.example\\@evil.example/'] }, 'invalid_redirect_uri'],
      ['no text', { redirect_uris: [1] }, 'invalid_redirect_uri'],
      ['another grant', { grant_types: ['password'] }, 'invalid_client_metadata'],
      ['another answer', { response_types: ['token'] }, 'invalid_client_metadata'],
      [
        'too much',
        { redirect_uris: ['a', 'b', 'c'].map((one) => `https://app.example/${one.repeat(400)}`) },
        'invalid_client_metadata',
      ],
      ['an invalid name', { redirect_uris: [mcpRedirectUri], client_name: {} }, 'invalid_client_metadata'],
      ['no object', [], 'invalid_client_metadata'],
      ['no JSON', '{', 'invalid_client_metadata'],
      ['a large body', { padding: 'x'.repeat(20_000) }, 'invalid_client_metadata'],
    ])('with %s is refused', async (_, body, error) => {
      const answer = await register(body)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error, error_description: expect.any(String) as string })
    })

    test("leaves out an app's own redirect scheme, which Cursor sends along with others", async () => {
      const own = 'cursor://anysphere.cursor-mcp/oauth/callback'
      const others = ['https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback']
      const answer = await register({ client_name: 'Cursor', redirect_uris: [own, ...others] })
      expect(answer.status).toBe(201)
      const client = (await answer.json()) as { client_id: string; redirect_uris: string[] }
      expect(client.redirect_uris).toEqual(others)
      expect(await outcomeOf(client.client_id, { redirect_uri: own })).toContain('invalid_redirect_uri')
      for (const redirect of others)
        expect(await outcomeOf(client.client_id, { redirect_uri: redirect })).toContain('app “Cursor”')
    })

    test("with a redirect to the gateway's own pages is refused", async () => {
      for (const origin of [node.origin, node.origin.replace('127.0.0.1', 'localhost')]) {
        const answer = await register({ redirect_uris: [`${origin}/dashboard/callback`] })
        expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri' })
      }
    })

    test('is counted by network, and stores no row', async () => {
      const body = { redirect_uris: [mcpRedirectUri] }
      const statuses = await Promise.all(
        Array.from({ length: 61 }, async () => (await register(body, '203.0.113.9')).status),
      )
      expect(statuses.filter((status) => status === 201)).toHaveLength(60)
      const late = await register(body, '203.0.113.9')
      expect(late.status).toBe(429)
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await register(body, '203.0.113.10')).status).toBe(201)
      expect(await node.storage.identity.state.find('Client', await registeredId())).toBeUndefined()
    })

    test('accepts POST only, and says so to web pages', async () => {
      const answer = await fetch(`${node.origin}/oidc/register`)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
      const preflight = await fetch(`${node.origin}/oidc/register`, { method: 'OPTIONS' })
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    })

    test('cannot be forged by hand', async () => {
      const id = await registeredId()
      const [content = '', signature = ''] = id.slice('app_'.length).split('.')
      const other = Buffer.from(JSON.stringify(['Agent', ['https://evil.example/'], 'x'])).toString(
        'base64url',
      )
      for (const forged of [
        `app_${other}.${signature}`,
        `app_${content}.${'A'.repeat(22)}`,
        `app_${content}`,
        `${id}A`,
        'app_',
      ])
        expect(await outcomeOf(forged)).toContain('invalid_client')
      expect(await outcomeOf(id)).toContain('Sign in')
    })
  })

  describe('an authorization request', () => {
    test.each<[string, Record<string, string>, string]>([
      ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
      ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['for another resource', { resource: 'https://evil.example' }, 'invalid_target'],
      ['for an unknown scope', { scope: 'admin' }, 'invalid_scope'],
      ['for a token in the address', { response_type: 'token' }, 'unsupported_response_type|invalid_request'],
      ['without a user interface', { prompt: 'none' }, 'login_required'],
    ])('%s is refused on our own page', async (_, more, error) => {
      const id = await registeredId({ redirect_uris: ['https://evil.example/callback'] })
      for (const mode of ['', 'query', 'fragment', 'form_post']) {
        const fields = { redirect_uri: 'https://evil.example/callback', response_mode: mode, ...more }
        const page = await new PageClient().get(authorizationUrl(id, fields).href)
        expect(page.title).toBe('Something went wrong')
        expect(page.text).toMatch(new RegExp(error))
        expect(page.url).toContain(node.origin)
        expect(page.text).not.toContain('evil.example')
      }
    })

    test("is for the MCP server only, and our own client's for the API only", async () => {
      const id = await registeredId()
      expect(await outcomeOf(id, { resource: node.origin })).toContain('invalid_target')
      expect(await outcomeOf(id, { resource: '' })).toContain('Sign in')
      expect(await outcomeOf(id, { resource: `${node.origin.toUpperCase()}/mcp/` })).toContain('Sign in')
      const redirect = { redirect_uri: 'http://127.0.0.1:5000/callback' }
      expect(await outcomeOf('turnpike', redirect)).toContain('invalid_target')
    })

    test("cannot lead to the gateway's own pages, under any of its names and ports", async () => {
      const id = await registeredId({
        redirect_uris: ['http://127.0.0.1/dashboard/callback', 'http://localhost/dashboard/callback'],
      })
      const { port } = new URL(node.origin)
      for (const host of ['127.0.0.1', 'localhost']) {
        const at = (to: string): Record<string, string> => ({
          redirect_uri: `http://${host}:${to}/dashboard/callback`,
        })
        expect(await outcomeOf(id, at(port))).toContain('invalid_redirect_uri')
        expect(await outcomeOf(id, at('50000'))).toContain('Sign in')
      }
    })

    test('without a redirect leads only to the registered one', async () => {
      expect(await outcomeOf(await registeredId(), { redirect_uri: '' })).toMatch(/invalid_request|Sign in/)
      const two = { redirect_uris: [mcpRedirectUri, 'https://app.example/callback'] }
      expect(await outcomeOf(await registeredId(two), { redirect_uri: '' })).toContain('invalid_request')
    })

    test('that names the server twice requests each permission once', async () => {
      const url = authorizationUrl(await registeredId())
      url.searchParams.append('resource', `${node.origin}/mcp/`)
      const consent = await newPersonAt(url)
      expect(consent.text.match(/value="chat"/g)).toHaveLength(1)
    })

    test('by a device is refused, because only our own client may use that grant', async () => {
      const body = new URLSearchParams({ client_id: await registeredId() })
      const answer = await fetch(`${node.origin}/oidc/device/auth`, { method: 'POST', body })
      expect(answer.status).toBe(400)
      expect((await beginDevice(node.origin)).userCode).toMatch(/\w/)
    })

    test.each([
      'https://localhost/client.json',
      'https://127.0.0.1/client.json',
      'https://[::1]/client.json',
      'https://10.0.0.1/client.json',
      'https://169.254.169.254/latest/meta-data',
      'https://metadata.localhost/client.json',
      'https://[::ffff:127.0.0.1]/client.json',
      'https://example.com:8443/client.json',
    ])('with the document at %s does not fetch it', async (address) => {
      expect(await outcomeOf(address)).toMatch(/temporarily_unavailable|invalid_client/)
      expect(await outcomeOf(address)).not.toMatch(/ECONN|certificate|127\.0\.0\.1:443/i)
    })

    test.each([
      'https://example.com',
      'https://example.com/',
      'https://example.com/client.json?x=1',
      'https://example.com/client.json#x',
      'https://user@example.com/client.json',
      'https://EXAMPLE.com/client.json',
      'https://example.com/a/../client.json',
      'https://2130706433/client.json',
      `https://example.com/${'x'.repeat(512)}`,
      'http://example.com/client.json',
    ])('by a client at %s is refused', async (address) => {
      expect(await outcomeOf(address)).toContain('invalid_client')
    })
  })

  describe('a token', () => {
    async function connected(): Promise<McpClient> {
      const client = new McpClient(`${node.origin}/mcp`)
      const pages = new PageClient()
      const consent = await newPersonAt(await client.begin('usage:read chat'), pages)
      await client.finish(await allow(pages, consent, ['usage:read']))
      return client
    }

    test('is renewed for no more than was granted, and for no other resource', async () => {
      const client = await connected()
      const { client_id: id } = client.saved.client!
      const renew = async (more: Record<string, string>): Promise<unknown> => {
        const refreshToken = client.saved.tokens!.refresh_token!
        const fields = { grant_type: 'refresh_token', refresh_token: refreshToken, ...more }
        const answer = await token(id, fields)
        const body = (await answer.json()) as Record<string, string>
        if (answer.ok) client.saved.tokens!.refresh_token = body['refresh_token']!
        return body
      }
      expect(await renew({ scope: 'usage:read chat' })).toMatchObject({ error: 'invalid_scope' })
      expect(await renew({ scope: 'keys:write' })).toMatchObject({ error: 'invalid_scope' })
      expect(await renew({})).toMatchObject({ scope: 'usage:read' })
      expect(await renew({ scope: 'usage:read', resource: `${node.origin}/mcp` })).toMatchObject({
        scope: 'usage:read',
      })
      expect(await renew({ resource: node.origin })).toMatchObject({ error: 'invalid_target' })
    })

    test('is renewed only for the client that received it', async () => {
      const client = await connected()
      const other = await registeredId()
      const fields = { grant_type: 'refresh_token', refresh_token: client.saved.tokens!.refresh_token! }
      for (const id of [other, 'turnpike'])
        expect(await (await token(id, fields)).json()).toMatchObject({ error: 'invalid_grant' })
    })

    test('may be requested by pages of the app’s own origin, and no others', async () => {
      const id = await registeredId({ redirect_uris: ['https://app.example/callback'] })
      const allowedOrigin = async (origin: string): Promise<string | null> => {
        const body = new URLSearchParams({ client_id: id, grant_type: 'refresh_token', refresh_token: 'x' })
        const answer = await fetch(`${node.origin}/oidc/token`, { method: 'POST', body, headers: { origin } })
        return answer.headers.get('access-control-allow-origin')
      }
      expect(await allowedOrigin('https://app.example')).toBe('https://app.example')
      expect(await allowedOrigin('https://evil.example')).toBeNull()
    })
  })
})
