import {
  formatUsd,
  parseUsd,
  picoOfCents,
  topupStatusOf,
  type Topup,
  type TopupStatus,
} from '@turnpike/billing'
import type { StripeAccount } from '@turnpike/simulators/checkout/stripe-account'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newAccount, newKey } from '../../../packages/storage/testing/fixtures.ts'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { suiteShop, sessionIdOf } from './testing/stripe-shop.ts'

/** The course of one checkout of 25 USD; amounts in cents. */
interface Story {
  ending: 'left open' | 'expired' | 'paid' | 'paid later' | 'never came'
  /** Refunds one after the other; the bank returns some of them. */
  refunds: { cents: number; fails: boolean }[]
  /** A dispute of what is left by then. */
  dispute: 'none' | 'open' | 'won' | 'lost' | 'warning_closed'
}

const paidCents = 2_500

const story: fc.Arbitrary<Story> = fc.record({
  ending: fc.constantFrom('left open', 'expired', 'paid', 'paid', 'paid later', 'never came'),
  refunds: fc.array(fc.record({ cents: fc.integer({ min: 1, max: 800 }), fails: fc.boolean() }), {
    maxLength: 3,
  }),
  dispute: fc.constantFrom('none', 'open', 'won', 'lost', 'warning_closed'),
})

/** Performs the story at Stripe, and returns the expected result. */
function happen(account: StripeAccount, sessionId: string, { ending, refunds, dispute }: Story) {
  const end = (status: TopupStatus, leftCents = 0) => ({ status, leftCents })
  if (ending === 'left open') return end('open')
  if (ending === 'expired') {
    account.expire(sessionId)
    return end('expired')
  }
  account.pay(sessionId, { later: ending !== 'paid' })
  if (ending === 'never came') {
    account.conclude(sessionId, 'failed')
    return end('expired')
  }
  if (ending === 'paid later') account.conclude(sessionId, 'succeeded')
  let leftCents = paidCents
  for (const { cents, fails } of refunds) {
    const { refundId } = account.refund(sessionId, cents)
    if (fails) account.failRefund(refundId)
    else leftCents -= cents
  }
  if (dispute !== 'none') {
    const { disputeId } = account.dispute(sessionId, leftCents)
    if (dispute !== 'open') account.closeDispute(disputeId, dispute)
    if (dispute === 'open' || dispute === 'lost') leftCents = 0
  }
  return end(leftCents === 0 ? 'refunded' : 'paid', leftCents)
}

describe('whatever the order of Stripe’s events', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened)

    it('and however often they arrive, the books are the same', async () => {
      const orders = fc.array(fc.nat(), { minLength: 60, maxLength: 60 })
      const run = fc.asyncProperty(
        fc.array(story, { minLength: 1, maxLength: 4 }),
        orders,
        async (stories, order) => {
          const { storage } = opened()
          const account = await newAccount(storage)
          await newKey(storage, account.id)
          const topups: Topup[] = []
          for (const _ of stories) topups.push(await shop.open(account.id, '25'))
          const first = shop.stripe.account.events.length
          const ends = stories.map((one, index) =>
            happen(shop.stripe.account, sessionIdOf(topups[index]!), one),
          )
          const events = shop.stripe.account.events.slice(first)
          const deliveries = events
            .flatMap((event, index) => Array.from({ length: 1 + (order[index]! % 3) }, () => event))
            .map((event, index) => ({ event, rank: order[index % order.length]! }))
            .sort((a, b) => a.rank - b.rank)
          // Four at a time, as Stripe does, so that some meet in the database.
          for (let at = 0; at < deliveries.length; at += 4)
            await Promise.all(deliveries.slice(at, at + 4).map(({ event }) => shop.deliver(event)))

          const kept = await Promise.all(topups.map(({ id }) => storage.topups.find(id)))
          expect(kept.map((topup) => topupStatusOf(topup!))).toEqual(ends.map(({ status }) => status))
          const leftPico = picoOfCents(ends.reduce((sum, { leftCents }) => sum + leftCents, 0))
          const { balancePico } = (await storage.accounts.find(account.id))!
          expect(formatUsd(balancePico)).toBe(formatUsd(leftPico))
          expect(await shop.topups.lifetimePico(account.id)).toBe(leftPico)
        },
      )
      await fc.assert(run, { numRuns: 25 })
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    }, 120_000)

    it('a hundred deliveries at the same moment credit once', async () => {
      const { storage } = opened()
      const account = await newAccount(storage)
      await newKey(storage, account.id)
      const topup = await shop.open(account.id, '25')
      const event = shop.stripe.account.pay(sessionIdOf(topup))
      await Promise.all(Array.from({ length: 100 }, () => shop.deliver(event)))
      expect((await storage.accounts.find(account.id))!.balancePico).toBe(parseUsd('25'))
      expect((await storage.ledger.list(account.id, { limit: 10 })).rows).toHaveLength(1)
    })

    it('the credit comes first, even if the refund and the dispute arrive before it', async () => {
      const { storage } = opened()
      const account = await newAccount(storage)
      await newKey(storage, account.id)
      const topup = await shop.open(account.id, '25')
      const sessionId = sessionIdOf(topup)
      shop.stripe.account.pay(sessionId)
      const { event: refund } = shop.stripe.account.refund(sessionId, 500)
      const { event: dispute } = shop.stripe.account.dispute(sessionId, 2_000)
      await shop.deliver(dispute)
      await shop.deliver(refund)
      const { rows } = await storage.ledger.list(account.id, { limit: 10 })
      expect(rows.map(({ kind, amountPico }) => [kind, formatUsd(amountPico)])).toEqual([
        ['refund', '5'],
        ['refund', '20'],
        ['topup', '25'],
      ])
    })
  })
})
