import * as client from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import { PageClient, type SeenPage } from './testing/page-client.ts'
import { confirmDevice, newEmail, signUp } from './testing/sign-in.ts'

const redirectUri = 'http://127.0.0.1:49152/callback'

/** Runs the certified client against the embedded provider. */
describe.each(databases())('openid-client on $engine', { timeout: 60_000 }, ({ create }) => {
  let configuration: client.Configuration
  let resource: string

  const database = suiteDatabase(create)
  const node = suiteNode({ server: { port: 0 } }, { database })
  beforeAll(async () => {
    resource = node.origin
    const execute = [client.allowInsecureRequests]
    const issuer = new URL(`${node.origin}/oidc`)
    configuration = await client.discovery(issuer, 'turnpike', undefined, client.None(), { execute })
  })

  async function statusOfMe(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${node.origin}/api/v1/me`, { headers })).status
  }

  interface Begun {
    url: URL
    checks: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string }
  }

  async function beginCodeFlow(fields: Record<string, string> = {}): Promise<Begun> {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid profile email offline_access',
      prompt: 'consent',
      resource,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      ...fields,
    })
    return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce } }
  }

  /** Goes from the authorization request to the redirect with the code. */
  async function signUpAndConsent(pages: PageClient, begun: Begun, email: string): Promise<SeenPage> {
    const consent = await signUp(pages, await pages.get(begun.url.href), { email, name: 'Ada' })
    expect(consent.title).toBe('Allow access?')
    expect(consent.text).toContain('127.0.0.1:49152')
    return pages.submit(consent, '/consent')
  }

  async function tokensOf(begun: Begun, redirect: SeenPage): Promise<client.TokenEndpointResponse> {
    return client.authorizationCodeGrant(configuration, new URL(redirect.url), begun.checks)
  }

  test('completes the device authorization grant', async () => {
    const device = await client.initiateDeviceAuthorization(configuration, {
      scope: 'openid offline_access',
      resource,
    })
    const tokens = client.pollDeviceAuthorizationGrant(configuration, device, { resource })
    const pages = new PageClient()
    const signIn = await confirmDevice(pages, node.origin, device.user_code)
    await signUp(pages, signIn, { email: newEmail() })
    expect(await statusOfMe((await tokens).access_token)).toBe(200)
  })

  test('completes the authorization code grant with PKCE, over loopback as native apps do', async () => {
    const begun = await beginCodeFlow()
    const email = newEmail()
    const redirect = await signUpAndConsent(new PageClient(), begun, email)
    expect(redirect.url).toMatch(/^http:\/\/127\.0\.0\.1:49152\/callback\?code=/)
    const tokens = await client.authorizationCodeGrant(configuration, new URL(redirect.url), begun.checks)
    expect(tokens.claims()).toMatchObject({ aud: 'turnpike', email, email_verified: false, name: 'Ada' })
    expect(await statusOfMe(tokens.access_token)).toBe(200)
    // A token for the client is not valid for the gateway.
    expect(await statusOfMe(tokens.id_token!)).toBe(401)
    await expect(tokensOf(begun, redirect)).rejects.toMatchObject({ error: 'invalid_grant' })
    // A code that is used twice was stolen from one of the two, so its tokens end.
    await expect(client.refreshTokenGrant(configuration, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('redeems a code once in many attempts at once', async () => {
    const begun = await beginCodeFlow()
    const redirect = await signUpAndConsent(new PageClient(), begun, newEmail())
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => tokensOf(begun, redirect)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('rotates refresh tokens, and loses the login if one is used again', async () => {
    const begun = await beginCodeFlow()
    const first = await tokensOf(begun, await signUpAndConsent(new PageClient(), begun, newEmail()))
    const second = await client.refreshTokenGrant(configuration, first.refresh_token!, { resource })
    expect(await statusOfMe(second.access_token)).toBe(200)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    const third = await client.refreshTokenGrant(configuration, second.refresh_token!)
    expect(await statusOfMe(third.access_token)).toBe(200)
    for (const stolen of [first, third])
      await expect(client.refreshTokenGrant(configuration, stolen.refresh_token!)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
  })

  test('cannot use a revoked refresh token', async () => {
    const begun = await beginCodeFlow()
    const tokens = await tokensOf(begun, await signUpAndConsent(new PageClient(), begun, newEmail()))
    await client.tokenRevocation(configuration, tokens.refresh_token!)
    await expect(client.refreshTokenGrant(configuration, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('leaves no refresh tokens or codes in the database in plain text', async () => {
    const begun = await beginCodeFlow()
    const tokens = await tokensOf(begun, await signUpAndConsent(new PageClient(), begun, newEmail()))
    const { state } = node.storage.identity
    expect(await state.find('RefreshToken', tokens.refresh_token!)).toBeUndefined()
  })

  test('accepts tokens of the new and of the previous key after a rotation', async () => {
    const begun = await beginCodeFlow()
    const tokens = await tokensOf(begun, await signUpAndConsent(new PageClient(), begun, newEmail()))
    const { key_id: keyId } = await node.admin<{ key_id: string }>('/identity/keys/rotate', {
      method: 'POST',
    })
    expect(await statusOfMe(tokens.access_token)).toBe(200)
    const later = await client.refreshTokenGrant(configuration, tokens.refresh_token!, { resource })
    const header = JSON.parse(Buffer.from(later.access_token.split('.')[0]!, 'base64url').toString())
    expect(header).toMatchObject({ alg: 'RS256', typ: 'at+jwt', kid: keyId })
    expect(await statusOfMe(later.access_token)).toBe(200)
  })

  test('gets an error if the user declines', async () => {
    const begun = await beginCodeFlow()
    const pages = new PageClient()
    const declined = await pages.submit(await pages.get(begun.url.href), '/cancel')
    expect(new URL(declined.url).searchParams.get('error')).toBe('access_denied')
    await expect(tokensOf(begun, declined)).rejects.toMatchObject({ error: 'access_denied' })
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, /invalid_request/],
    ['with plain PKCE', { code_challenge_method: 'plain' }, /invalid_request/],
    ['for a token in the address', { response_type: 'token' }, /unsupported_response_type/],
    ['to another path', { redirect_uri: 'http://127.0.0.1:49152/elsewhere' }, /invalid_redirect_uri/],
    ['to another host', { redirect_uri: 'https://evil.example/callback' }, /invalid_redirect_uri/],
    ['of an unknown client', { client_id: 'nobody' }, /invalid_client/],
    ['for another resource', { resource: 'https://evil.example' }, /invalid_target/],
  ])('is refused a request %s', async (_, fields, error) => {
    const { url } = await beginCodeFlow(fields)
    const page = await new PageClient().get(url.href)
    expect(page.url + page.text).toMatch(error)
    if (page.text !== '') expect(page.title).toBe('Something went wrong')
  })

  test('cannot redeem a code without its verifier', async () => {
    const begun = await beginCodeFlow()
    const redirect = await signUpAndConsent(new PageClient(), begun, newEmail())
    const checks = { ...begun.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    await expect(
      client.authorizationCodeGrant(configuration, new URL(redirect.url), checks),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test("needs no consent for the dashboard's own address, and renews silently", async () => {
    const dashboard = { redirect_uri: `${node.origin}/dashboard/callback`, prompt: '', scope: 'openid email' }
    const pages = new PageClient()
    const begun = await beginCodeFlow(dashboard)
    const redirect = await signUp(pages, await pages.get(begun.url.href), { email: newEmail() })
    expect(redirect.url).toContain('/dashboard/callback?code=')
    const tokens = await tokensOf(begun, redirect)
    expect(await statusOfMe(tokens.access_token)).toBe(200)
    const silent = await beginCodeFlow({ ...dashboard, prompt: 'none' })
    expect((await pages.get(silent.url.href)).url).toContain('/dashboard/callback?code=')
    const native = await beginCodeFlow({ prompt: 'none' })
    expect((await pages.get(native.url.href)).url).toMatch(/error=(interaction|consent)_required/)
  })

  test('is asked for the password again after signing out', async () => {
    const pages = new PageClient()
    const begun = await beginCodeFlow()
    await signUpAndConsent(pages, begun, newEmail())
    const question = await pages.get(`${node.origin}/oidc/sign-out`)
    expect(question.title).toBe('Sign out?')
    expect((await pages.submit(question, '/confirm')).title).toBe('Signed out')
    const again = await beginCodeFlow()
    expect((await pages.get(again.url.href)).title).toBe('Sign in')
  })
})
