import { isRefused } from '@turnpike/identity'
import * as client from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { allow, mcpRedirectUri, newPersonAt } from './testing/mcp-client.ts'
import { mcpVerifierOf } from './testing/mcp-verifier.ts'
import { PageClient, type SeenPage } from './testing/page-client.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'

/** The certified client as an MCP client: it registers, and checks every response. */
describe('openid-client, registered as an MCP client', { timeout: 60_000 }, () => {
  let configuration: client.Configuration

  const node = suiteNode({ server: { port: 0 } })
  beforeAll(async () => {
    configuration = await client.dynamicClientRegistration(
      new URL(`${node.origin}/oidc`),
      { client_name: 'Certified', redirect_uris: [mcpRedirectUri], token_endpoint_auth_method: 'none' },
      client.None(),
      { execute: [client.allowInsecureRequests], algorithm: 'oauth2' },
    )
  })

  interface Begun {
    url: URL
    checks: { pkceCodeVerifier: string; expectedState: string }
  }

  async function begin(fields: Record<string, string> = {}): Promise<Begun> {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: mcpRedirectUri,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      ...fields,
    })
    return { url, checks: { pkceCodeVerifier, expectedState } }
  }

  async function authorized(begun: Begun): Promise<SeenPage> {
    const pages = new PageClient()
    return allow(pages, await newPersonAt(begun.url, pages), ['usage:read', 'chat'])
  }

  async function scopesOf(token: string): Promise<string[] | number> {
    const access = await mcpVerifierOf(node).verify(`Bearer ${token}`)
    return isRefused(access) ? access.status : [...access.scopes]
  }

  test.each([
    ['that names the server', { resource: true, scope: 'usage:read chat' }],
    ['that names neither server nor scope', {}],
  ])('signs in with a request %s', async (_, { resource, scope }: { resource?: boolean; scope?: string }) => {
    const server = { ...(resource === true && { resource: `${node.origin}/mcp` }) }
    const begun = await begin({ ...server, ...(scope !== undefined && { scope }) })
    const { url } = await authorized(begun)
    const tokens = await client.authorizationCodeGrant(configuration, new URL(url), begun.checks, server)
    expect(tokens.scope).toBe('usage:read chat')
    expect(tokens.claims()).toBeUndefined()
    expect(await scopesOf(tokens.access_token)).toEqual(['usage:read', 'chat'])
    const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token!, server)
    expect(await scopesOf(renewed.access_token)).toEqual(['usage:read', 'chat'])
    const narrow = { ...server, scope: 'chat' }
    const less = await client.refreshTokenGrant(configuration, renewed.refresh_token!, narrow)
    expect(await scopesOf(less.access_token)).toEqual(['chat'])
    await client.tokenRevocation(configuration, less.refresh_token!)
    expect(await scopesOf(less.access_token)).toBe(401)
  })

  test('redeems a code once in many attempts at once, and not with another verifier', async () => {
    const begun = await begin()
    const { url } = await authorized(begun)
    const redeem = (pkceCodeVerifier: string): Promise<client.TokenEndpointResponse> =>
      client.authorizationCodeGrant(configuration, new URL(url), { ...begun.checks, pkceCodeVerifier })
    await expect(redeem(client.randomPKCECodeVerifier())).rejects.toMatchObject({ error: 'invalid_grant' })
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => redeem(begun.checks.pkceCodeVerifier)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('renews a refresh token once in many attempts at once', async () => {
    const begun = await begin()
    const { url } = await authorized(begun)
    const tokens = await client.authorizationCodeGrant(configuration, new URL(url), begun.checks)
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => client.refreshTokenGrant(configuration, tokens.refresh_token!)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
  })
})
