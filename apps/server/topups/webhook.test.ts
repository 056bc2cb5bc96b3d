import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { signDelivery } from '../../../packages/billing/topups/testing/sign-delivery.ts'
import { startStripeNode, stripeSessionOf, type StripeNode } from './testing/stripe-node.ts'
import { fixtures, webhookSecret } from './testing/stripe-shop.ts'

const chat = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hello [sandbox: pace=0]' }] }

describe.each(databases())("Stripe's webhook, on $engine", ({ create }) => {
  let shop: StripeNode
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await create()
    drop = database.drop
    shop = await startStripeNode(database.url)
  })
  afterAll(async () => {
    await shop.stop()
    await drop()
  })

  test('credits a payment to the key, which can then be used', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    expect((await shop.node.chat(key, chat)).status).toBe(402)
    const topup = await shop.buy(key, '25')
    expect(topup).toMatchObject({
      status: 'open',
      checkout_url: expect.stringContaining('checkout.stripe.com'),
    })
    const event = shop.stripe.account.pay(stripeSessionOf(topup), { cents: 2_400 })
    const answer = await shop.deliver(event)
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }])
    expect(await shop.balanceOf(key)).toBe('24')
    expect(await shop.read(key, topup)).toMatchObject({ status: 'paid', paid_usd: '24', checkout_url: null })
    expect((await shop.node.chat(key, chat)).status).toBe(200)
  })

  test('credits once if it is delivered a hundred times at once', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    const event = shop.stripe.account.pay(stripeSessionOf(await shop.buy(key, '25')))
    const answers = await Promise.all(Array.from({ length: 100 }, () => shop.deliver(event)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await shop.balanceOf(key)).toBe('25')
  })

  test('responds 503 while Stripe is unavailable, and sells again once it is back', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    await shop.stripe.close()
    await expect(shop.buy(key, '25')).rejects.toThrow('503')
    await shop.stripe.listen()
    const list = await shop.node.admin<{ data: unknown[] }>(`/accounts/${key.accountId}/topups`)
    expect(list.data).toEqual([])
    expect(await shop.buy(key, '25')).toMatchObject({ status: 'open' })
  })

  test('takes refunds, even beyond the balance: requests then get 402', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    const topup = await shop.buy(key, '25')
    const sessionId = stripeSessionOf(topup)
    await shop.deliver(shop.stripe.account.pay(sessionId))
    expect((await shop.node.chat(key, chat)).status).toBe(200)
    const { event: first } = shop.stripe.account.refund(sessionId, 1_000)
    const { event: second } = shop.stripe.account.refund(sessionId, 1_500)
    for (const event of [second, first, second]) expect((await shop.deliver(event)).status).toBe(200)
    expect(await shop.read(key, topup)).toMatchObject({ status: 'refunded', refunded_usd: '25' })
    expect(await shop.balanceOf(key)).toMatch(/^-0\.0000/)
    const refused = await shop.node.chat(key, chat)
    expect([refused.status, await refused.text()]).toEqual([
      402,
      expect.stringContaining('insufficient_quota'),
    ])
  })

  test('freezes a disputed amount until the bank has decided', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    const topup = await shop.buy(key, '25')
    const sessionId = stripeSessionOf(topup)
    await shop.deliver(shop.stripe.account.pay(sessionId))
    expect((await shop.node.chat(key, chat)).status).toBe(200)
    const { disputeId, event } = shop.stripe.account.dispute(sessionId)
    await shop.deliver(event)
    expect(await shop.read(key, topup)).toMatchObject({ status: 'refunded', disputed_usd: '25' })
    expect((await shop.node.chat(key, chat)).status).toBe(402)
    await shop.deliver(shop.stripe.account.closeDispute(disputeId, 'won'))
    expect(await shop.read(key, topup)).toMatchObject({ status: 'paid', disputed_usd: '0' })
    expect((await shop.node.chat(key, chat)).status).toBe(200)
    const { data } = await shop.node.admin<{
      data: { kind: string; reference: string; corrects: string | null }[]
    }>(`/accounts/${key.accountId}/ledger`)
    const reversal = data.find(({ reference }) => reference.endsWith(`:${disputeId}:ended`))
    expect(reversal).toMatchObject({ kind: 'adjustment', corrects: expect.stringMatching(/^led_/) })
  })

  test('refuses events that Stripe did not sign, or signed long ago, and changes nothing', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    const event = shop.stripe.account.pay(stripeSessionOf(await shop.buy(key, '25')))
    const old = signDelivery(event, webhookSecret, 301).signature
    const headers = [
      { 'stripe-signature': '' },
      { 'stripe-signature': 't=1,v1=abc' },
      { 'stripe-signature': signDelivery(event, 'whsec_other').signature },
      { 'stripe-signature': signDelivery({ ...event, id: 'evt_other' }, webhookSecret).signature },
      { 'stripe-signature': old },
    ]
    for (const one of headers) {
      const answer = await shop.deliver(event, one)
      const { error } = (await answer.json()) as { error: { type: string; code: number } }
      expect([answer.status, error]).toEqual([
        400,
        expect.objectContaining({ type: 'invalid_request_error', code: 400 }),
      ])
    }
    expect(await shop.balanceOf(key)).toBe('0')
    expect((await shop.deliver(event, { 'content-type': 'text/plain' })).status).toBe(200)
    expect(await shop.balanceOf(key)).toBe('25')
  })

  test('accepts events that are not ours, and logs them', async () => {
    const other = { ...fixtures['event']!, type: 'plan.created' }
    expect((await shop.deliver(other)).status).toBe(200)
    const session = {
      ...fixtures['checkout.session']!,
      payment_status: 'paid',
      amount_total: 500,
      currency: 'usd',
    }
    const foreign = { ...other, type: 'checkout.session.completed', data: { object: session } }
    expect((await shop.deliver(foreign)).status).toBe(200)
    const refund = { ...other, type: 'charge.refunded', data: { object: fixtures['charge'] } }
    const dispute = { ...other, type: 'charge.dispute.created', data: { object: fixtures['dispute'] } }
    for (const event of [refund, dispute]) expect((await shop.deliver(event)).status).toBe(200)
    const messages = shop.node.log.map(({ message }) => message)
    expect(messages).toContain('a session was paid that belongs to no top-up: nothing was credited')
    expect(messages).toContain('an event refers to a payment that belongs to no top-up')
  })

  test('credits no other currency, and notifies the operator', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    const event = shop.stripe.account.pay(stripeSessionOf(await shop.buy(key, '25')))
    const { object } = event['data'] as { object: object }
    const inEuro = { ...event, data: { object: { ...object, currency: 'eur' } } }
    expect((await shop.deliver(inEuro)).status).toBe(200)
    expect(await shop.balanceOf(key)).toBe('0')
    expect(shop.node.log.at(-1)).toMatchObject({ level: 'error', fields: { currency: 'eur' } })
  })

  test('accepts no large bodies, no other methods and no empty bodies', async () => {
    const large = await shop.deliver({ id: 'evt_1', text: 'x'.repeat(600_000) })
    expect(large.status).toBe(413)
    const get = await fetch(`${shop.node.origin}/webhooks/stripe`)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    const empty = await fetch(`${shop.node.origin}/webhooks/stripe`, { method: 'POST' })
    expect(empty.status).toBe(400)
  })

  test('leaves correct books after all of this', async () => {
    expect(await shop.node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })
})
