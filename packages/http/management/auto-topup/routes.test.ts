import type { AutoTopups } from '@turnpike/billing'
import { afterAll, describe, expect, test } from 'vitest'
import { startTopupServer } from '../topups/testing/topup-server.ts'

const hourMs = 60 * 60 * 1000

const server = await startTopupServer()
afterAll(() => server.close())

/** Moves the clock on, so that later things sort behind earlier ones. */
function run(): Promise<void> {
  server.clock.nowMs++
  return (server.services.checkout!.auto!.autoTopups as AutoTopups).run()
}

/** Buys credit at the sandbox checkout and saves a card there, which later behaves as its name says. */
async function bought(subject: string, card: string, amount = '25'): Promise<void> {
  const { json } = await server.buy(subject, { amount_usd: amount, save_payment_method: true })
  await pay(`/sandbox-checkout/${String(json['session_id'])}`, card)
}

async function pay(path: string, card: string): Promise<void> {
  const page = await fetch(server.origin + path)
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!
  const text = await page.text()
  expect(text).toContain('The card is saved for automatic top-ups')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
  const paid = await fetch(server.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    body: new URLSearchParams({ token, decision: 'pay', card }).toString(),
  })
  expect(paid.status).toBe(303)
}

async function customer(card: string) {
  const made = await server.newAccount()
  await bought(made.subject, card)
  const { json } = await server.call('GET', '/api/v1/payment-methods', { as: made.subject })
  const [method] = json.data as unknown as { id: string }[]
  const set = (changes: object = {}) =>
    server.call('PUT', '/api/v1/auto-topup', {
      as: made.subject,
      body: {
        threshold_usd: '30',
        amount_usd: 20,
        monthly_cap_usd: '100',
        payment_method_id: method!.id,
        ...changes,
      },
    })
  const read = async () => (await server.call('GET', '/api/v1/auto-topup', { as: made.subject })).json
  const balance = async () =>
    (await server.call('GET', '/api/v1/balance', { as: made.subject })).json.balance_usd
  return { ...made, methodId: method!.id, set, read, balance }
}

describe('automatic top-up', () => {
  test('is off until it is set', async () => {
    const { subject } = await server.newAccount()
    const { status, json } = await server.call('GET', '/api/v1/auto-topup', { as: subject })
    expect([status, json]).toEqual([
      200,
      {
        object: 'auto_topup',
        enabled: false,
        threshold_usd: null,
        amount_usd: null,
        monthly_cap_usd: null,
        payment_method_id: null,
        state: 'idle',
        failure: null,
        attempts_failed: 0,
        next_attempt_at: null,
        charged_this_month_usd: '0',
        is_capped: false,
        action_url: null,
        session_id: null,
      },
    ])
  })

  test('charges play money to a saved card, and appears as a top-up with a receipt', async () => {
    const { subject, methodId, set, read, balance } = await customer('accepted')
    const list = await server.call('GET', '/api/v1/payment-methods', { as: subject })
    expect(list.json.data).toEqual([
      {
        object: 'payment_method',
        id: methodId,
        kind: 'card',
        brand: 'accepted',
        last4: '4242',
        expires_month: null,
        sandbox: true,
        created_at: expect.any(Number),
      },
    ])
    expect((await set()).json).toMatchObject({ enabled: true, state: 'idle', amount_usd: '20' })
    await run()
    expect([await balance(), (await read())['charged_this_month_usd']]).toEqual(['45', '20'])
    const topups = await server.call('GET', '/api/v1/topups', { as: subject })
    const [auto] = topups.json.data as unknown as { session_id: string }[]
    expect(auto).toMatchObject({ origin: 'auto', status: 'paid', paid_usd: '20', checkout_url: null })
    const receipt = await server.call('GET', `/api/v1/topup/${auto!.session_id}/receipt`, { as: subject })
    expect(receipt.json).toMatchObject({ number: auto!.session_id, paid_usd: '20', net_usd: '20' })
  })

  test('waits after a declined card, and offers a checkout for one that needs confirmation', async () => {
    const declined = await customer('declined')
    const careful = await customer('authentication_required')
    for (const one of [declined, careful]) await one.set()
    await run()
    expect(await declined.read()).toMatchObject({
      state: 'waiting',
      failure: 'card_declined',
      attempts_failed: 1,
      next_attempt_at: expect.any(Number),
    })
    const { state, action_url: url } = await careful.read()
    expect(state).toBe('needs_action')
    await pay(new URL(String(url)).pathname, 'accepted')
    await run()
    expect([await careful.balance(), (await careful.read())['state']]).toEqual(['45', 'idle'])
    await server.call('DELETE', '/api/v1/auto-topup', { as: declined.subject })
  })

  test('credits a charge once if its response was lost', async () => {
    const { set, read, balance } = await customer('lost_answer')
    await set()
    await run()
    expect((await read())['state']).toBe('charging')
    server.clock.nowMs += hourMs
    await run()
    expect([await balance(), (await read())['state']]).toEqual(['45', 'idle'])
  })

  test.each([
    ['an amount out of bounds', { amount_usd: '4.99' }, 400, 'amount_usd'],
    ['parts of a cent', { amount_usd: '5.001' }, 400, 'amount_usd'],
    ['a cap below the amount', { monthly_cap_usd: '19.99' }, 400, 'monthly_cap_usd'],
    ['no threshold', { threshold_usd: '0' }, 400, 'threshold_usd'],
    ['another field', { currency: 'EUR' }, 400, 'currency'],
    ['no payment method', { payment_method_id: 'mine' }, 400, 'payment_method_id'],
    ['an unknown one', { payment_method_id: `pmt_${'0'.repeat(26)}` }, 404, 'payment_method_id'],
  ])('with %s is refused', async (_, changes, status, param) => {
    const { set, read } = await customer('accepted')
    const answer = await set(changes)
    expect([answer.status, answer.json.error.param]).toEqual([status, param])
    expect(await read()).toMatchObject({ enabled: false, payment_method_id: null })
  })

  test('finds no payment method of another account, and none that was removed', async () => {
    const mine = await customer('accepted')
    const theirs = await customer('accepted')
    expect((await mine.set({ payment_method_id: theirs.methodId })).status).toBe(404)
    const path = `/api/v1/payment-methods/${theirs.methodId}`
    expect((await server.call('DELETE', path, { as: mine.subject })).status).toBe(404)
    await theirs.set()
    expect((await server.call('DELETE', path, { as: theirs.subject })).status).toBe(200)
    expect(await theirs.read()).toMatchObject({ enabled: false })
    expect((await theirs.set()).status).toBe(404)
    expect((await server.call('DELETE', path, { as: theirs.subject })).status).toBe(404)
    await run()
    expect(await theirs.balance()).toBe('25')
  })

  test('is available to operators too, below the account', async () => {
    const { accountId, set } = await customer('accepted')
    await set({ enabled: false })
    const account = `/api/v1/admin/accounts/${accountId}`
    expect((await server.call('GET', `${account}/auto-topup`)).json).toMatchObject({ amount_usd: '20' })
    expect((await server.call('GET', `${account}/payment-methods`)).json.data).toHaveLength(1)
  })
})

test('without automatic top-ups, no card is saved and the paths do not exist', async () => {
  const plain = await startTopupServer({ auto: undefined })
  const { subject } = await plain.newAccount()
  const answer = await plain.buy(subject, { amount_usd: '25', save_payment_method: true })
  expect([answer.status, answer.json.error.param]).toEqual([400, 'save_payment_method'])
  expect((await plain.call('GET', '/api/v1/auto-topup', { as: subject })).status).toBe(404)
  await plain.close()
})
