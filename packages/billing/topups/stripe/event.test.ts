import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { parseForm } from '@turnpike/simulators/checkout/form-body'
import { StripeAccount, type StripeEvent } from '@turnpike/simulators/checkout/stripe-account'
import { stripeFixtures } from '@turnpike/simulators/checkout/stripe-fixtures'
import { parseUsd } from '../../money/usd.ts'
import { readStripeEvent } from './event.ts'

const secret = 'whsec_of_a_test'
const fixtures = stripeFixtures()

const form = parseForm(
  'mode=payment&success_url=x&metadata[topup_id]=top_1&payment_intent_data[metadata][topup_id]=top_1' +
    '&line_items[0][quantity]=1&line_items[0][price_data][currency]=usd' +
    '&line_items[0][price_data][unit_amount]=2500',
)

function signed(payload: string, options: { secret?: string; ageSeconds?: number } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? secret,
    timestamp: Math.floor(Date.now() / 1000) - (options.ageSeconds ?? 0),
  })
}

function read(event: object): ReturnType<typeof readStripeEvent> {
  const payload = JSON.stringify(event)
  return readStripeEvent(Buffer.from(payload), signed(payload), secret)
}

describe('a signature', () => {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'plan.created', created: 1, data: {} })
  const body = Buffer.from(payload)

  test('of ours, not older than 300 seconds, is accepted', () => {
    expect(readStripeEvent(body, signed(payload), secret)).toEqual({ about: 'nothing', type: 'plan.created' })
    expect(readStripeEvent(body, signed(payload, { ageSeconds: 295 }), secret).about).toBe('nothing')
  })

  test.each([
    ['none', undefined],
    ['empty', ''],
    ['nonsense', 'nonsense'],
    ['without a time', `v1=${'0'.repeat(64)}`],
    ['with another secret', signed(payload, { secret: 'whsec_other' })],
    ['of another body', signed(`${payload} `)],
    ['of another scheme', signed(payload).replace('v1=', 'v0=')],
    ['made 301 seconds ago', signed(payload, { ageSeconds: 301 })],
    [
      'made 301 seconds ago, its time mended',
      signed(payload, { ageSeconds: 301 }).replace(/t=\d+/, 't=9999999999'),
    ],
  ])('that is %s causes a 400', (_, header) => {
    const reading = (): unknown => readStripeEvent(body, header, secret)
    expect(reading).toThrow(expect.objectContaining({ status: 400, type: 'invalid_request_error' }))
    expect(reading).toThrow('signature')
  })

  test('of a body that is not an event causes a 400', () => {
    for (const text of ['', 'no JSON', '{"object":"v2.core.event"}'])
      expect(() => readStripeEvent(Buffer.from(text), signed(text), secret)).toThrow(
        expect.objectContaining({ status: 400 }),
      )
  })
})

describe('an event', () => {
  const started = (): { account: StripeAccount; sessionId: string } => {
    const account = new StripeAccount(fixtures, 1_760_000_000)
    return { account, sessionId: account.createSession(form).id }
  }

  test('of a session has its state', () => {
    const { account, sessionId } = started()
    const session = { id: sessionId, topupId: 'top_1', currency: 'usd', amountPico: parseUsd('25') }
    expect(read(account.pay(sessionId))).toMatchObject({
      about: 'session',
      session: { ...session, state: 'paid', paymentId: expect.stringMatching(/^pi_/) },
    })
    for (const outcome of ['succeeded', 'failed'] as const) {
      const late = started()
      const completed = late.account.pay(late.sessionId, { later: true })
      expect(read(completed)).toMatchObject({ session: { state: 'processing' } })
      const state = outcome === 'succeeded' ? 'paid' : 'failed'
      expect(read(late.account.conclude(late.sessionId, outcome))).toMatchObject({ session: { state } })
    }
    const other = started()
    expect(read(other.account.expire(other.sessionId))).toMatchObject({ session: { state: 'expired' } })
  })

  test('of a refund has the sum of all refunds', () => {
    const { account, sessionId } = started()
    account.pay(sessionId)
    account.refund(sessionId, 500)
    const { event, refundId } = account.refund(sessionId, 700)
    const payment = {
      paymentId: expect.stringMatching(/^pi_/),
      chargeId: expect.stringMatching(/^ch_/),
      topupId: 'top_1',
    }
    const asOfMs = event.created * 1000
    expect(read(event)).toEqual({
      about: 'refund',
      payment,
      currency: 'usd',
      refundedPico: parseUsd('12'),
      asOfMs,
    })
    const failed = account.failRefund(refundId)
    expect(read(failed)).toMatchObject({ about: 'failed-refund', payment: { ...payment, topupId: null } })
    const again: StripeEvent = { ...failed, type: 'charge.refund.updated' }
    expect(read(again)).toMatchObject({ about: 'failed-refund' })
  })

  test('of a dispute says whether it ended in our favour', () => {
    const { account, sessionId } = started()
    account.pay(sessionId)
    const { disputeId, event } = account.dispute(sessionId, 1000)
    const dispute = { id: disputeId, amountPico: parseUsd('10'), released: false }
    expect(read(event)).toMatchObject({ about: 'dispute', currency: 'usd', dispute })
    expect(read(account.closeDispute(disputeId, 'lost'))).toMatchObject({ dispute })
    const won = { dispute: { ...dispute, released: true } }
    expect(read(account.closeDispute(disputeId, 'won'))).toMatchObject(won)
    expect(read(account.closeDispute(disputeId, 'warning_closed'))).toMatchObject(won)
  })

  test("from Stripe's own examples, or of any other type, is ignored", () => {
    expect(read(fixtures['event']!)).toEqual({ about: 'nothing', type: 'plan.created' })
    const { account, sessionId } = started()
    account.pay(sessionId)
    const { refundId, event } = account.refund(sessionId, 500)
    expect(refundId).toMatch(/^re_/)
    const updated = {
      ...event,
      type: 'refund.updated',
      data: { object: { ...fixtures['refund'], id: refundId } },
    }
    expect(read(updated)).toEqual({ about: 'nothing', type: 'refund.updated' })
  })
})
