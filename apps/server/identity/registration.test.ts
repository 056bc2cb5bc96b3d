import { afterEach, describe, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { authorizationUrl } from './testing/device-login.ts'
import { PageClient, type SeenPage } from './testing/page-client.ts'
import { newEmail, password, signUp } from './testing/sign-in.ts'

let node: TestNode

async function start(identity: NonNullable<ConfigurationInput['identity']>): Promise<void> {
  node = await startTestNode({ input: { server: { port: 0, trusted_proxies: ['127.0.0.1'] }, identity } })
}

function signInPage(client: PageClient): Promise<SeenPage> {
  return client.get(authorizationUrl(node.origin))
}

afterEach(() => node.stop())

describe('registration', { timeout: 60_000 }, () => {
  test('if closed, offers no way in', async () => {
    await start({ registration: 'closed' })
    const client = new PageClient()
    const page = await signInPage(client)
    expect(page.text).not.toContain('sign-up')
    expect((await client.get(`${page.url}/sign-up`)).status).toBe(404)
    const token = page.forms[0]!.hidden
    const forced = await client.post(`${page.url}/sign-up`, { ...token, email: newEmail(), password })
    expect([forced.status, forced.text]).toEqual([403, expect.stringContaining('cannot be created')])
  })

  test('by invitation accepts a code once, and verifies the address that the code is for', async () => {
    await start({ registration: 'invite' })
    const email = newEmail()
    const { id } = await node.admin<{ id: string }>('/accounts', { method: 'POST', body: { email } })
    const invite = await node.admin<{ code: string }>('/identity/invites', {
      method: 'POST',
      body: { email },
    })
    const client = new PageClient()
    const page = await signInPage(client)
    const wrong = await signUp(client, page, { email: newEmail(), invite_code: invite.code })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('for another email')])
    const typed = invite.code.toUpperCase().replaceAll('-', ' ')
    expect((await signUp(client, page, { email, invite_code: typed })).title).toBe('Allow access?')
    const user = await node.storage.identity.users.findByEmail(email)
    const account = await node.storage.accounts.signIn(
      { subject: user!.id, email, emailVerified: user!.emailVerified, name: null },
      'free',
      Date.now(),
    )
    expect(account.id).toBe(id)
    const second = new PageClient()
    const again = await signUp(second, await signInPage(second), {
      email: newEmail(),
      invite_code: invite.code,
    })
    expect(again.status).toBe(400)
  })

  test('for some domains tells other users which', async () => {
    await start({ allowed_email_domains: ['Corp.example'] })
    const client = new PageClient()
    const page = await signInPage(client)
    const refused = await signUp(client, page, { email: newEmail() })
    expect(refused.text).toContain('Only addresses at corp.example can register.')
    expect(refused.text).not.toContain(password)
    expect((await signUp(client, page, { email: 'ada@corp.example' })).title).toBe('Allow access?')
  })
})

describe('the forms', { timeout: 60_000 }, () => {
  test('are refused without their token, from another browser, if too large, or as JSON', async () => {
    await start({})
    const client = new PageClient()
    const page = await signInPage(client)
    const action = `${page.url}/sign-in`
    const token = page.forms[0]!.hidden
    expect((await client.post(action, { email: 'a@b.c', password })).status).toBe(403)
    expect((await client.post(action, { ...token, csrf_token: `${token['csrf_token']}x` })).status).toBe(403)
    expect((await client.post(action, { ...token, email: 'x'.repeat(20_000) })).status).toBe(400)
    expect((await client.post(action, token, { 'content-type': 'application/json' })).status).toBe(400)
    expect((await new PageClient().post(action, { ...token, email: 'a@b.c', password })).status).toBe(400)
    expect((await client.post(`${page.url}/nowhere`, token)).status).toBe(404)
    expect((await client.post(`${page.url}/consent`, token)).status).toBe(404)
    const wrong = await client.submit(page, '/sign-in', { email: 'a@b.c', password })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Incorrect email or password.')])
  })

  test('allow 10 attempts per account; a trusted proxy distinguishes the addresses', async () => {
    await start({})
    const client = new PageClient()
    const page = await signInPage(client)
    const attempt = (email: string, address: string): Promise<SeenPage> =>
      client.post(
        `${page.url}/sign-in`,
        { ...page.forms[0]!.hidden, email, password: 'wrong' },
        { 'x-forwarded-for': address },
      )
    for (let count = 0; count < 10; count++)
      expect((await attempt('ada@example.com', `203.0.113.${count}`)).status).toBe(400)
    const blocked = await attempt('ada@example.com', '203.0.113.99')
    expect([blocked.status, blocked.title]).toEqual([429, 'Please wait'])
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(800)
    expect((await attempt('grace@example.com', '203.0.113.99')).status).toBe(400)
  })

  test('and pages contain the public address, whatever the Host header is', async () => {
    await start({})
    const host = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const page = await new PageClient().post(
      `${node.origin}/oidc/device/auth`,
      { client_id: 'turnpike' },
      host,
    )
    expect(page.text).toContain(`${node.origin}/oidc/device`)
    expect(page.text).not.toContain('evil')
  })

  test('report an unknown page and an expired sign-in as pages', async () => {
    await start({})
    const client = new PageClient()
    const unknown = await client.get(`${node.origin}/oidc/interaction/nothing`)
    expect([unknown.status, unknown.title]).toEqual([400, 'Something went wrong'])
    expect((await client.get(`${node.origin}/oidc/nothing`)).status).toBe(404)
    expect((await client.get(`${node.origin}/oidc/device/auth`)).status).toBe(404)
    for (const path of ['device', 'auth']) {
      const resumed = await new PageClient().get(`${node.origin}/oidc/${path}/${'a'.repeat(43)}`)
      expect([path, resumed.status]).toEqual([path, 400])
    }
    expect(node.log.filter(({ level }) => level === 'error')).toEqual([])
    expect(unknown.headers.get('x-request-id')).toMatch(/^req_/)
    const signOut = await client.get(`${node.origin}/oidc/sign-out`)
    expect(signOut.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';script-src 'sha256-[^ ]+';frame-ancestors 'none';base-uri 'none'$/,
    )
    expect((await client.submit(signOut, '/confirm')).title).toBe('Signed out')
  })
})
