import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import {
  beginDevice,
  callAs,
  authorizationUrl,
  exchangeCode,
  nativeRedirectUri,
  loginByDevice,
  poll,
  refresh,
  signUpByDevice,
  type Answer,
  type Tokens,
} from './testing/device-login.ts'
import { PageClient } from './testing/page-client.ts'
import { suiteOrigins } from './testing/second-node.ts'
import { confirmDevice, newEmail, password } from './testing/sign-in.ts'

/** Two people claim one address: the one who registered it first, and the one who was invited. */
describe.each(databases())('an address, on $engine,', { timeout: 120_000 }, ({ create }) => {
  const ops = newEmail()
  const database = suiteDatabase(create)
  const node = suiteNode(
    { server: { port: 0, trusted_proxies: ['127.0.0.1'] }, admin: { operators: [ops] } },
    { database },
  )
  const origins = suiteOrigins(node, database)
  const elsewhere = (): string => origins.at(-1)!

  async function invited(email: string): Promise<string> {
    const body = { email }
    return (await node.admin<{ code: string }>('/identity/invites', { method: 'POST', body })).code
  }

  async function me(tokens: Pick<Tokens, 'access_token'>): Promise<Record<string, unknown>> {
    const { status, body } = await callAs(node.origin, tokens, '/me')
    expect(status).toBe(200)
    return body
  }

  /** Gets an authorization code in a signed-in browser. Returns the page, and a function to redeem it. */
  async function authorize(browser: PageClient): Promise<{ page: string; exchange: () => Promise<Answer> }> {
    const consent = await browser.get(authorizationUrl(node.origin))
    const { url: page } = await browser.submit(consent, '/consent')
    const code = new URL(page).searchParams.get('code') ?? ''
    return { page, exchange: () => exchangeCode(node.origin, code, nativeRedirectUri) }
  }

  test('that a squatter registered gives them nothing when its owner comes', async () => {
    const browser = new PageClient()
    const squatter = await loginByDevice(node.origin, { email: ops.toUpperCase() }, browser)
    const squatted = await me(squatter)
    expect(squatted).toMatchObject({ email: ops, email_verified: false, operator: false })
    const key = await callAs(node.origin, squatter, '/me/keys', { method: 'POST', body: { name: 'mine' } })
    expect(key.status).toBe(201)
    const { id } = await node.admin<{ id: string }>('/accounts', { method: 'POST', body: { email: ops } })
    expect(id).not.toBe(squatted['id'])

    const owner = await loginByDevice(node.origin, { email: ops, invite_code: await invited(ops) })
    const owned = await me(owner)
    expect(owned).toMatchObject({ id, email: ops, email_verified: true, operator: true })
    expect(owned['oidc_sub']).not.toBe(squatted['oidc_sub'])

    const after = { ...squatted, email: null, email_verified: false }
    expect(await me(squatter)).toEqual(after)
    const refreshed = (await refresh(node.origin, squatter.refresh_token)).body as unknown as Tokens
    expect(await me(refreshed)).toEqual(after)
    for (const tokens of [squatter, refreshed])
      expect((await callAs(node.origin, tokens, '/admin/accounts')).status).toBe(404)
    expect(await node.admin(`/accounts/${String(squatted['id'])}`)).toMatchObject({ email: null })
    // Another device, confirmed in the browser that was signed in then, still belongs to the squatter.
    const { userCode, deviceCode } = await beginDevice(node.origin)
    const page = await confirmDevice(browser, node.origin, userCode)
    expect(page.title).toBe('Device connected')
    const another = (await poll(node.origin, deviceCode)).body as unknown as Tokens
    expect(await me(another)).toEqual(after)
    const credit = { email: ops }
    expect(await node.admin('/accounts', { method: 'POST', body: credit })).toMatchObject({ id })
  })

  test('that is recovered by a second invitation ends everything before it', async () => {
    const email = newEmail()
    const browser = new PageClient()
    const first = await loginByDevice(node.origin, { email, invite_code: await invited(email) }, browser)
    const account = await me(first)
    const approved = await beginDevice(node.origin)
    expect((await confirmDevice(browser, node.origin, approved.userCode)).title).toBe('Device connected')
    const { page: authorized, exchange } = await authorize(browser)
    expect(authorized).toContain('code=')
    const stranger = new PageClient()
    const half = await beginDevice(node.origin)
    const signInPage = await confirmDevice(stranger, node.origin, half.userCode)
    const key = await callAs(node.origin, first, '/me/keys', { method: 'POST', body: { name: 'kept' } })

    const code = await invited(email)
    const newPassword = 'another correct horse'
    const own = new PageClient()
    const fields = { email, invite_code: code, password: newPassword }
    const second = await loginByDevice(node.origin, fields, own)
    expect(await me(second)).toMatchObject({ id: account['id'], email_verified: true })

    expect((await callAs(node.origin, first, '/me')).status).toBe(401)
    expect(await refresh(node.origin, first.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect(await poll(node.origin, approved.deviceCode)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    // The signed-in browser has to sign in again, and the old password is invalid.
    const { userCode } = await beginDevice(node.origin)
    expect((await confirmDevice(browser, node.origin, userCode)).title).toBe('Sign in')
    const wrong = await stranger.submit(signInPage, '/sign-in', { email, password })
    expect(wrong.text).toContain('Incorrect email or password.')
    const right = await stranger.submit(signInPage, '/sign-in', { email, password: newPassword })
    expect(right.title).toBe('Device connected')

    // The person stays the same to everyone who knows them by their tokens.
    for (const { id_token: hint } of [first, second])
      expect((await own.get(authorizationUrl(node.origin, { id_token_hint: hint }))).title).toBe(
        'Allow access?',
      )
    const anybody = await loginByDevice(node.origin, { email: newEmail() })
    expect((await own.get(authorizationUrl(node.origin, { id_token_hint: anybody.id_token }))).title).toBe(
      'Sign in',
    )

    const renewed = (await refresh(node.origin, second.refresh_token)).body as unknown as Tokens
    expect(await me(renewed)).toMatchObject({ id: account['id'] })
    const keys = await callAs(node.origin, renewed, '/me/keys')
    expect(keys.body['data']).toMatchObject([{ id: key.body['id'], status: 'active' }])
  })

  test('that is recovered while its refresh token is used leaves no login behind', async () => {
    const email = newEmail()
    for (let round = 0; round < 5; round++) {
      const thief = await loginByDevice(node.origin, { email, invite_code: await invited(email) })
      const code = await invited(email)
      const chain = { last: thief, stopped: false }
      const refreshing = (async () => {
        while (!chain.stopped) {
          const { status, body } = await refresh(elsewhere(), chain.last.refresh_token)
          if (status !== 200) return
          chain.last = body as unknown as Tokens
        }
      })()
      const owner = await loginByDevice(node.origin, {
        email,
        invite_code: code,
        password: `${password} ${round}`,
      })
      chain.stopped = true
      await refreshing
      for (const origin of [elsewhere(), node.origin]) {
        expect((await refresh(origin, chain.last.refresh_token)).status).toBe(400)
        expect((await callAs(origin, chain.last, '/me')).status).toBe(401)
        expect((await callAs(origin, owner, '/me')).status).toBe(200)
      }
    }
  })

  test('that is recovered during a sign-in with the old password does not complete it', async () => {
    const email = newEmail()
    await loginByDevice(node.origin, { email, invite_code: await invited(email) })
    let before = password
    for (const pauseMs of [0, 20, 60, 120, 200, 300]) {
      const browser = new PageClient()
      const { userCode, deviceCode } = await beginDevice(elsewhere())
      const page = await confirmDevice(browser, node.origin, userCode)
      const code = await invited(email)
      const thief = browser.submit(page, '/sign-in', { email, password: before })
      await delay(pauseMs)
      before = `${password} ${pauseMs}`
      await loginByDevice(node.origin, { email, invite_code: code, password: before })
      await thief
      const { status, body } = await poll(elsewhere(), deviceCode)
      const stolen = status === 200 && (await callAs(elsewhere(), body as unknown as Tokens, '/me')).status
      expect([pauseMs, stolen === false || stolen === 401]).toEqual([pauseMs, true])
    }
  })

  test('cannot be taken by an invitation that is used, for another address, or for none', async () => {
    const email = newEmail()
    const code = await invited(email)
    await loginByDevice(node.origin, { email, invite_code: code })
    const open = (await node.admin<{ code: string }>('/identity/invites', { method: 'POST', body: {} })).code
    for (const invite_code of [code, await invited(newEmail()), open]) {
      const { page } = await signUpByDevice(node.origin, { email, invite_code })
      expect(page.status).toBe(400)
    }
  })
})
