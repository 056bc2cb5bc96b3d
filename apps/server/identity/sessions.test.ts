import { describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import { ClaudeCode } from './testing/claude-code.ts'
import {
  authorizationUrl,
  beginDevice,
  callAs,
  exchangeCode,
  loginByDevice,
  nativeRedirectUri,
  poll,
  refresh,
  type Answer,
  type Tokens,
} from './testing/device-login.ts'
import { PageClient } from './testing/page-client.ts'
import { suiteOrigins } from './testing/second-node.ts'
import { confirmDevice, newEmail, password } from './testing/sign-in.ts'

interface Session {
  id: string
  kind: string
  name: string | null
  address: string | null
  current: boolean
}

let browsers = 0

/** Each browser has a new address, because registrations are counted by address. */
function newBrowser(): PageClient {
  browsers++
  return new PageClient({ 'x-forwarded-for': `198.18.${browsers >> 8}.${browsers & 255}` })
}

/** The list of sessions, what ends a session, and what a password change ends. */
describe.each(databases())('sessions on $engine', { timeout: 120_000 }, ({ create }) => {
  const database = suiteDatabase(create)
  const node = suiteNode({ server: { port: 0, trusted_proxies: ['127.0.0.1'] } }, { database })
  const origins = suiteOrigins(node, database)

  const me = async (tokens: Pick<Tokens, 'access_token'>): Promise<number[]> =>
    Promise.all(origins.map(async (origin) => (await callAs(origin, tokens, '/me')).status))
  const everywhere = (status: number): number[] => origins.map(() => status)

  async function sessions(tokens: Tokens): Promise<Session[]> {
    const { status, body } = await callAs(node.origin, tokens, '/me/sessions')
    expect(status).toBe(200)
    return body['data'] as Session[]
  }

  const post = (tokens: Tokens, path: string, body: object = {}): Promise<Answer> =>
    callAs(node.origin, tokens, path, { method: 'POST', body })

  /** Another command line, confirmed in a browser that is signed in. */
  async function another(browser: PageClient): Promise<Tokens> {
    const { userCode, deviceCode } = await beginDevice(node.origin)
    expect((await confirmDevice(browser, node.origin, userCode)).title).toBe('Device connected')
    return (await poll(node.origin, deviceCode)).body as unknown as Tokens
  }

  async function signedInTwice(): Promise<{ email: string; browser: PageClient; one: Tokens; two: Tokens }> {
    const [email, browser] = [newEmail(), newBrowser()]
    const one = await loginByDevice(node.origin, { email }, browser)
    return { email, browser, one, two: await another(browser) }
  }

  async function renewed(tokens: Tokens): Promise<Tokens> {
    const { status, body } = await refresh(node.origin, tokens.refresh_token)
    expect(status).toBe(200)
    return body as unknown as Tokens
  }

  test('are listed with place and time, and one can be ended at once on every node', async () => {
    const { one, two } = await signedInTwice()
    expect([await me(one), await me(two)]).toEqual([everywhere(200), everywhere(200)])
    const listed = await sessions(one)
    expect(listed.map(({ kind, current }) => [kind, current])).toEqual([
      ['command_line', true],
      ['command_line', false],
    ])
    expect(listed[1]!.address).toBe('127.0.0.1')
    const ended = await callAs(node.origin, one, `/me/sessions/${listed[1]!.id}`, { method: 'DELETE' })
    expect(ended).toEqual({ status: 200, body: { id: listed[1]!.id, deleted: true } })
    expect([await me(one), await me(two)]).toEqual([everywhere(200), everywhere(401)])
    expect((await refresh(node.origin, two.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
    expect(await sessions(one)).toHaveLength(1)
    const again = await callAs(node.origin, one, `/me/sessions/${listed[1]!.id}`, { method: 'DELETE' })
    expect(again.status).toBe(404)
  })

  test('of other people are 404, and continue', async () => {
    const mine = await signedInTwice()
    const theirs = await signedInTwice()
    for (const { id } of await sessions(theirs.one))
      expect((await callAs(node.origin, mine.one, `/me/sessions/${id}`, { method: 'DELETE' })).status).toBe(
        404,
      )
    await post(mine.one, '/me/sessions/end-others')
    expect([await me(theirs.one), await me(theirs.two)]).toEqual([everywhere(200), everywhere(200)])
    expect(await me(mine.two)).toEqual(everywhere(401))
  })

  test('stay ended if a refresh races with the end', async () => {
    for (let round = 0; round < 4; round++) {
      const { one, two } = await signedInTwice()
      const [, { id }] = (await sessions(one)) as [Session, Session]
      const [answer] = await Promise.all([
        refresh(origins.at(-1)!, two.refresh_token),
        callAs(node.origin, one, `/me/sessions/${id}`, { method: 'DELETE' }),
      ])
      const last = answer.status === 200 ? (answer.body as unknown as Tokens) : two
      expect(await me(last)).toEqual(everywhere(401))
      expect((await refresh(node.origin, last.refresh_token)).status).toBe(400)
    }
  })

  test('end together with devices of keys and browsers, except the one that requests it', async () => {
    const { one, two, browser } = await signedInTwice()
    await post(one, '/me/keys', { name: 'key' })
    const claude = new ClaudeCode(node.origin)
    const { body: codes } = await claude.begin()
    await post(one, `/me/device-sign-ins/${String(codes['user_code'])}/approve`, { spend_limit_usd: null })
    const { body: device } = await claude.poll(String(codes['device_code']))
    const ofDevice = async (): Promise<number> =>
      (
        await fetch(`${node.origin}/v1/models`, {
          headers: { authorization: `Bearer ${String(device['access_token'])}` },
        })
      ).status
    expect(await ofDevice()).toBe(200)
    expect((await sessions(one)).map(({ kind }) => kind).toSorted()).toEqual([
      'command_line',
      'command_line',
      'device',
    ])

    const { status, body } = await post(one, '/me/sessions/end-others')
    expect([status, (body['data'] as Session[]).map(({ current }) => current)]).toEqual([200, [true]])
    expect([await me(two), await ofDevice()]).toEqual([everywhere(401), 401])
    expect((await refresh(node.origin, two.refresh_token)).status).toBe(400)
    const next = await renewed(one)
    expect(await me(next)).toEqual(everywhere(200))
    expect((await sessions(next)).map(({ current }) => current)).toEqual([true])
    // The browser's own session was a different one.
    const { userCode } = await beginDevice(node.origin)
    expect((await confirmDevice(browser, node.origin, userCode)).title).toBe('Sign in')
  })

  test('of a command line that signs out are removed from the list', async () => {
    const { one, two } = await signedInTwice()
    const form = new URLSearchParams({ client_id: 'turnpike', token: two.refresh_token })
    await fetch(`${node.origin}/oidc/revoke`, { method: 'POST', body: form })
    expect([await me(two), (await sessions(one)).length]).toEqual([everywhere(401), 1])
  })

  test('of another person are not the current one', async () => {
    const victim = newBrowser()
    const page = await victim.get(authorizationUrl(node.origin))
    const planted = victim.copied()
    const code = new URL(
      (await victim.submit(await signedUp(victim, page.url), '/consent')).url,
    ).searchParams.get('code')
    expect((await exchangeCode(node.origin, code!, nativeRedirectUri)).status).toBe(200)
    expect((await planted.get(authorizationUrl(node.origin))).title).toBe('Sign in')
  })

  async function signedUp(client: PageClient, address: string) {
    const form = await client.get(`${address}/sign-up`)
    return client.submit(form, '/sign-up', { email: newEmail(), password })
  }

  test("need a token, not a cookie: a request from another site's page has no identity", async () => {
    const { one, browser } = await signedInTwice()
    const headers = { 'content-type': 'application/json', cookie: browser.cookiesFor('/api/v1/me') }
    expect(browser.cookiesFor('/oidc')).toContain('_session')
    for (const path of ['/me/close', '/me/password', '/me/email', '/me/sessions/end-others']) {
      const answer = await fetch(`${node.origin}/api/v1${path}`, { method: 'POST', headers, body: '{}' })
      expect([path, answer.status]).toEqual([path, 401])
    }
    const form = await fetch(`${node.origin}/api/v1/me/close`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one.access_token}`, 'content-type': 'text/plain' },
      body: '{"confirm":"x"}',
    })
    expect(form.status).toBe(415)
    expect(await me(one)).toEqual(everywhere(200))
  })

  describe('a new password', () => {
    const nextPassword = 'staple correct horse'

    test('ends every other session, and invalidates the old password', async () => {
      const { email, browser, one, two } = await signedInTwice()
      const changed = await post(one, '/me/password', {
        current_password: password,
        new_password: nextPassword,
      })
      expect(changed).toEqual({ status: 200, body: { changed: true } })
      expect(await me(two)).toEqual(everywhere(401))
      expect((await refresh(node.origin, two.refresh_token)).status).toBe(400)
      const next = await renewed(one)
      expect(await me(next)).toEqual(everywhere(200))
      expect(await sessions(next)).toHaveLength(1)
      const { userCode, deviceCode } = await beginDevice(node.origin)
      const signIn = await confirmDevice(browser, node.origin, userCode)
      expect(signIn.title).toBe('Sign in')
      expect((await browser.submit(signIn, '/sign-in', { email, password })).status).toBe(400)
      const done = await browser.submit(signIn, '/sign-in', { email, password: nextPassword })
      expect(done.title).toBe('Device connected')
      expect((await poll(node.origin, deviceCode)).status).toBe(200)
    })

    test.each([
      [{ new_password: nextPassword }, 'current_password'],
      [{ current_password: '', new_password: nextPassword }, 'current_password'],
      [{ current_password: 'another wrong one', new_password: nextPassword }, 'current_password'],
      [{ current_password: password, new_password: 'short' }, 'new_password'],
      [{ current_password: password, new_password: 'x'.repeat(1_001) }, 'new_password'],
      [{ current_password: password, new_password: password }, 'new_password'],
    ])('with %j is refused, and nothing ends', async (body, param) => {
      const { one, two } = await signedInTwice()
      const answer = await post(one, '/me/password', body)
      expect([answer.status, (answer.body['error'] as { param: string }).param]).toEqual([400, param])
      expect([await me(one), await me(two)]).toEqual([everywhere(200), everywhere(200)])
    })

    test('cannot be guessed: the eleventh attempt waits, even a right one, also of many', async () => {
      const { one } = await signedInTwice()
      const guess = (current: string) =>
        post(one, '/me/password', { current_password: current, new_password: nextPassword })
      const tries = await Promise.all(Array.from({ length: 14 }, (_, count) => guess(`wrong guess ${count}`)))
      expect(tries.filter(({ status }) => status === 400)).toHaveLength(10)
      expect(tries.filter(({ status }) => status === 429)).toHaveLength(4)
      expect((await guess(password)).status).toBe(429)
      expect(await me(one)).toEqual(everywhere(200))
    })

    test('does not appear in the audit log', async () => {
      const { one } = await signedInTwice()
      await post(one, '/me/password', { current_password: password, new_password: nextPassword })
      const log = JSON.stringify(await node.admin('/audit?action=changePassword'))
      expect(log).toContain('changePassword')
      for (const secret of [password, nextPassword]) expect(log).not.toContain(secret)
      expect(JSON.stringify(node.log)).not.toContain(nextPassword)
    })
  })

  test('change an email with the password only, to a free address, which is then unverified', async () => {
    const { one, email } = await signedInTwice()
    const theirs = await signedInTwice()
    const next = newEmail()
    const change = (body: object) => post(one, '/me/email', body)
    expect((await change({ current_password: 'wrong password', email: next })).status).toBe(400)
    expect((await change({ current_password: password, email: 'nobody' })).body['error']).toMatchObject({
      param: 'email',
    })
    expect(
      (await change({ current_password: password, email: theirs.email.toUpperCase() })).body['error'],
    ).toMatchObject({ param: 'email' })
    expect((await change({ current_password: password, email: next.toUpperCase() })).status).toBe(200)
    const { body } = await callAs(node.origin, one, '/me')
    expect(body).toMatchObject({ email: next, email_verified: false })
    expect(body['email']).not.toBe(email)
    expect((await callAs(node.origin, one, '/me/login')).body).toMatchObject({
      provider: 'embedded',
      may_change: ['display_name', 'password', 'email'],
    })
  })
})
