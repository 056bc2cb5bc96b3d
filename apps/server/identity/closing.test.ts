import { formatUsd, parseUsd } from '@turnpike/billing'
import { describe, expect, test } from 'vitest'
import { suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { fixedCost, requestBody, requestPico } from '../money/testing/fixed-cost.ts'
import { callAs, loginByDevice, refresh, type Answer, type Tokens } from './testing/device-login.ts'
import { newEmail } from './testing/sign-in.ts'

interface Account {
  balance_usd: string
  unassigned_usd: string
  status: string
}

/** What happens when an owner closes their account. */
describe.each(databases())('closing an account on $engine', { timeout: 60_000 }, ({ create }) => {
  const node = suiteFleet(create, 1, (vendorUrl) => ({
    ...fixedCost(vendorUrl),
    server: { port: 0, trusted_proxies: ['127.0.0.1'] },
  })).nodes[0]!

  const ask = (key: TestKey, pace = '0'): Promise<Response> =>
    node.chat(key, { ...requestBody(pace), stream: true })

  const post = (user: Tokens, path: string, body: object = {}): Promise<Answer> =>
    callAs(node.origin, user, path, { method: 'POST', body })

  async function signedUp(email = newEmail()): Promise<{ user: Tokens; email: string; accountId: string }> {
    const user = await loginByDevice(node.origin, { email, name: 'Ada Lovelace' })
    return { user, email, accountId: String((await callAs(node.origin, user, '/me')).body['id']) }
  }

  const accountOf = (accountId: string): Promise<Account> => node.admin<Account>(`/accounts/${accountId}`)

  test('stops all keys, settles each request in flight once, and keeps the credit', async () => {
    const { user, email, accountId } = await signedUp()
    const key = await node.createKey({ accountId, creditUsd: '1' })
    const drawing = await node.createKey({ accountId, drawsOn: key.id })
    const own = await node.createKey({ accountId, creditUsd: '2' })
    expect((await callAs(node.origin, user, '/me/closing')).body).toMatchObject({
      confirm: email,
      credit_usd: '3',
      active_keys: 3,
      sessions: 1,
    })
    const keys = [key, drawing, own, key, drawing]
    const running = await Promise.all(keys.map((one) => ask(one, '60/s')))
    const closed = await post(user, '/me/close', { confirm: email.toUpperCase() })
    expect([closed.status, closed.body['object']]).toEqual([200, 'closed_account'])
    for (const one of keys) expect([401, 403]).toContain((await ask(one)).status)
    for (const answer of running) {
      expect(answer.status).toBe(200)
      expect((await answer.text()).endsWith('data: [DONE]\n\n')).toBe(true)
    }
    const left = formatUsd(parseUsd('3') - requestPico * BigInt(keys.length))
    expect(await accountOf(accountId)).toMatchObject({
      status: 'closed',
      balance_usd: '0',
      unassigned_usd: left,
    })
    const { data } = await node.admin<{ data: { kind: string }[] }>(`/accounts/${accountId}/ledger?limit=200`)
    expect(data.filter(({ kind }) => kind === 'usage')).toHaveLength(keys.length)
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })

  test("deletes the owner's identity, and keeps the books", async () => {
    const { user, email, accountId } = await signedUp()
    await callAs(node.origin, user, '/me/billing', {
      method: 'PUT',
      body: { name: 'Ada Ltd', line1: 'Street 1', city: 'London', country: 'GB' },
    })
    await post(user, '/me/keys', { name: 'kept' })
    expect((await post(user, '/me/close', { confirm: email })).status).toBe(200)
    const account = await node.admin<Record<string, unknown>>(`/accounts/${accountId}`)
    expect(account).toMatchObject({
      status: 'closed',
      display_name: null,
      email: null,
      email_verified: false,
    })
    expect(await node.storage.billingDetails.find(accountId)).toBeUndefined()
    expect((await callAs(node.origin, user, '/me')).status).toBe(401)
    expect((await refresh(node.origin, user.refresh_token)).status).toBe(400)
    const subject = String(account['oidc_sub'])
    expect(await node.storage.identity.users.find(subject)).toMatchObject({ email: null, name: null })
    // The address is free again, and its next owner gets nothing of the old account.
    const next = await signedUp(email)
    expect(next.accountId).not.toBe(accountId)
    expect((await callAs(node.origin, next.user, '/me/keys')).body['data']).toEqual([])
  })

  test.each([
    ['nothing', {}, 'confirm'],
    ['another word', { confirm: 'yes' }, 'confirm'],
    ['the identifier of an account with an address', { confirm: undefined }, 'confirm'],
    ['a text longer than any address', { confirm: 'x'.repeat(321) }, 'confirm'],
  ])('is refused with %s, and changes nothing', async (_, body, param) => {
    const { user, accountId } = await signedUp()
    const key = await node.createKey({ accountId })
    const answer = await post(
      user,
      '/me/close',
      'confirm' in body && body.confirm === undefined ? { confirm: accountId } : body,
    )
    expect([answer.status, (answer.body['error'] as { param: string }).param]).toEqual([400, param])
    expect((await ask(key)).status).toBe(200)
    expect((await accountOf(accountId)).status).toBe('active')
  })

  test('happens once, even if requested twice at once', async () => {
    const { user, email, accountId } = await signedUp()
    await node.createKey({ accountId })
    const answers = await Promise.all([0, 1, 2].map(() => post(user, '/me/close', { confirm: email })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await accountOf(accountId)).toMatchObject({ status: 'closed', unassigned_usd: '100' })
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true })
  })

  test('revokes in the sweep keys that were not revoked in time, as after a kill', async () => {
    const { accountId } = await signedUp()
    const key = await node.createKey({ accountId })
    expect(await node.storage.accounts.close(accountId, Date.now())).toBe(true)
    await expect.poll(async () => (await ask(key)).status, { timeout: 5_000 }).not.toBe(200)
    await expect
      .poll(async () => (await accountOf(accountId)).unassigned_usd, { timeout: 20_000 })
      .toBe('100')
  })
})
