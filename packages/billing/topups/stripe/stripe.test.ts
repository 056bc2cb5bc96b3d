import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeStripe } from '@turnpike/simulators/checkout/fake-stripe'
import { stripeFixtures } from '@turnpike/simulators/checkout/stripe-fixtures'
import { parseUsd } from '../../money/usd.ts'
import type { PaymentProcessor } from '../payment-processor.ts'
import { stripeProcessor } from './stripe.ts'
import type { Topup } from '../topup.ts'

const secretKey = 'sk_test_of_a_test'
const fixtures = stripeFixtures()

const topup: Topup = {
  id: 'top_01jqmz00000000000000000000',
  accountId: 'acct_01jqmz00000000000000000000',
  keyId: 'key_01jqmz00000000000000000000',
  processor: 'stripe',
  amountPico: parseUsd('25.5'),
  idempotencyKey: null,
  checkout: null,
  paymentId: null,
  expired: false,
  paidPico: 0n,
  refundedPico: 0n,
  disputedPico: 0n,
  refundsAsOfMs: 0,
  createdAtMs: 0,
  paidAtMs: null,
  paidBy: null,
  origin: 'checkout',
  savesMethod: false,
  methodId: null,
  failure: null,
  taxPico: 0n,
}

describe('the official SDK against our Stripe simulator', () => {
  let stripe: FakeStripe
  let processor: PaymentProcessor

  const processorWith = (key: string, apiBase = stripe.origin): PaymentProcessor =>
    stripeProcessor({ secretKey: key, apiBase, returnUrl: ({ id }) => `https://gateway.test/checkout/${id}` })

  beforeAll(async () => {
    stripe = new FakeStripe({ fixtures, secretKey })
    await stripe.listen()
    processor = processorWith(secretKey)
  })
  afterAll(() => stripe.close())

  const opened = async (id: string): Promise<{ topup: Topup; sessionId: string }> => {
    const { id: sessionId, url, expiresAtMs } = await processor.open({ ...topup, id })
    return { topup: { ...topup, id, checkout: { sessionId, url, expiresAtMs } }, sessionId }
  }

  test('opens a checkout in cents, for an account and key, once per top-up', async () => {
    const session = await processor.open(topup)
    expect(session).toMatchObject({
      id: expect.stringMatching(/^cs_test_/),
      topupId: topup.id,
      state: 'open',
      url: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//),
      amountPico: topup.amountPico,
      currency: 'usd',
      paymentId: null,
    })
    expect(await processor.open(topup)).toEqual(session)
    const [request] = stripe.requests.filter(({ method }) => method === 'POST')
    const metadata = { topup_id: topup.id, account_id: topup.accountId, key_id: topup.keyId }
    expect(request).toMatchObject({
      path: '/v1/checkout/sessions',
      idempotencyKey: topup.id,
      form: {
        mode: 'payment',
        client_reference_id: topup.id,
        metadata,
        payment_intent_data: { metadata },
        adaptive_pricing: { enabled: 'false' },
        line_items: { 0: { quantity: '1', price_data: { currency: 'usd', unit_amount: '2550' } } },
        success_url: `https://gateway.test/checkout/${topup.id}`,
      },
    })
  })

  test('reads the state of a session', async () => {
    const paid = await opened('top_paid')
    stripe.account.pay(paid.sessionId, { cents: 2000 })
    const session = await processor.sessionOf(paid.topup)
    expect(session).toMatchObject({ state: 'paid', amountPico: parseUsd('20'), url: null })
    const payment = { paymentId: session!.paymentId, chargeId: null, topupId: null }
    expect(await processor.sessionOfPayment(payment)).toEqual(session)

    const late = await opened('top_late')
    stripe.account.pay(late.sessionId, { later: true })
    expect(await processor.sessionOf(late.topup)).toMatchObject({ state: 'processing' })
    stripe.account.conclude(late.sessionId, 'failed')
    expect(await processor.sessionOf(late.topup)).toMatchObject({ state: 'failed' })

    const expired = await opened('top_expired')
    stripe.account.expire(expired.sessionId)
    expect(await processor.sessionOf(expired.topup)).toMatchObject({ state: 'expired', url: null })
  })

  test('reads the refunded total from the charge, and finds a charge’s payment', async () => {
    const { topup, sessionId } = await opened('top_refunded')
    stripe.account.pay(sessionId)
    stripe.account.refund(sessionId, 1000)
    const { paymentId } = (await processor.sessionOf(topup))!
    expect(await processor.findRefunded(paymentId!)).toBe(parseUsd('10'))
    const chargeId = String(stripe.account.intent(paymentId!)['latest_charge'])
    const session = await processor.sessionOfPayment({ paymentId: null, chargeId, topupId: null })
    expect(session?.id).toBe(sessionId)
  })

  test('returns undefined for objects that Stripe does not have', async () => {
    const checkout = { sessionId: 'cs_test_unknown', url: null, expiresAtMs: 0 }
    expect(await processor.sessionOf({ ...topup, checkout })).toBeUndefined()
    const payment = { paymentId: null, chargeId: 'ch_unknown', topupId: null }
    expect(await processor.sessionOfPayment(payment)).toBeUndefined()
  })

  test('retries one failure with the same idempotency key, and rejects with 503 after two', async () => {
    stripe.failNext(500)
    const before = stripe.requests.length
    await processor.open({ ...topup, id: 'top_again' })
    expect(stripe.requests.slice(before).map((one) => one.idempotencyKey)).toEqual(['top_again', 'top_again'])
    stripe.failNext(500, 500)
    await expect(processor.open({ ...topup, id: 'top_away' })).rejects.toMatchObject({
      type: 'service_unavailable',
      retryAfterSeconds: 5,
    })
  })

  test('rejects with 503 without a response, and with 502 for a refused key, which is logged', async () => {
    await expect(processorWith(secretKey, 'http://127.0.0.1:1').open(topup)).rejects.toMatchObject({
      status: 503,
    })
    const refused = processorWith('sk_test_wrong').open(topup)
    await expect(refused).rejects.toMatchObject({
      status: 502,
      message: expect.not.stringContaining('API Key'),
      detail: expect.stringContaining('Invalid API Key'),
    })
  })
})
