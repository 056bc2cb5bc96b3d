import { parseUsd } from '@turnpike/billing'
import type { NextCharge } from '@turnpike/simulators/checkout/saved-payments'
import type { StripeObject } from '@turnpike/simulators/checkout/stripe-fixtures'
import { beforeAll, describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { autoTools, type AutoCustomer } from './testing/auto-customer.ts'
import { buyers, suiteShop } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const usd = parseUsd
/** More than the requests to Stripe in one check of one account. */
const mostRequests = 20

describe('a node that loses Stripe while it charges by invoice', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened, { invoices: true, automaticTax: true, taxIds: false })
    beforeAll(async () => {
      shop.stripe.account.invoices.taxPercent = 19
    })

    const { balanceOf } = buyers(opened)
    const { clock, store, newNode, customer } = autoTools(opened, shop)
    const invoicesOf = ({ method }: AutoCustomer): StripeObject[] =>
      shop.stripe.account.invoices.ofCustomer(method.customerId, 0)
    const paidOf = ({ method }: AutoCustomer): StripeObject[] =>
      shop.stripe.account.saved.succeeded.filter(
        (one) =>
          one['customer'] === method.customerId && shop.stripe.account.invoices.paymentsOf(one.id).length > 0,
      )

    /** Makes Stripe unavailable at each of one node's requests in turn; other nodes continue. */
    async function atEachRequest(
      card: NextCharge,
      check: (of: AutoCustomer, label: string) => Promise<void>,
    ): Promise<number> {
      let ends = 0
      for (const isDone of [false, true])
        for (let nth = 1; nth <= mostRequests; nth++) {
          const of = await customer(card)
          shop.stripe.awayFrom(nth, isDone)
          await newNode().run()
          if (!shop.stripe.back()) {
            await store().disable(of.account.id, clock())
            break
          }
          ends++
          shop.clock.nowMs += 3 * minuteMs
          await Promise.all([newNode().run(), newNode().run()])
          await check(of, `Stripe was away from request ${nth}, which was ${isDone ? '' : 'not '}done`)
          await store().disable(of.account.id, clock())
        }
      return ends
    }

    it('has charged once in the end, at whichever request', async () => {
      const ends = await atEachRequest('succeeded', async (of, label) => {
        expect(paidOf(of), label).toMatchObject([{ amount: 2_380 }])
        expect(invoicesOf(of), label).toMatchObject([{ status: 'paid' }])
        expect(await balanceOf(of.account), label).toBe(usd('45'))
        expect(await store().find(of.account.id), label).toMatchObject({ state: 'idle', attemptsFailed: 0 })
      })
      expect(ends).toBeGreaterThanOrEqual(8)
    }, 60_000)

    it('has counted one decline in the end, and voided the invoice', async () => {
      const ends = await atEachRequest('declined', async (of, label) => {
        expect(paidOf(of), label).toEqual([])
        expect(invoicesOf(of), label).toMatchObject([{ status: 'void' }])
        expect(await balanceOf(of.account), label).toBe(usd('25'))
        expect(await store().find(of.account.id), label).toMatchObject({
          state: 'waiting',
          attemptsFailed: 1,
        })
      })
      expect(ends).toBeGreaterThanOrEqual(12)
    }, 60_000)

    it('has opened one checkout in the end, and voided the invoice', async () => {
      const ends = await atEachRequest('authentication_required', async (of, label) => {
        expect(invoicesOf(of), label).toMatchObject([{ status: 'void' }])
        expect(await store().find(of.account.id), label).toMatchObject({ state: 'needs_action' })
        const { rows } = await opened().storage.topups.list(of.account.id, { limit: 10 })
        const amounts = rows.map(({ amountPico }) => amountPico)
        expect(amounts, label).toEqual([usd('20'), usd('25')])
      })
      expect(ends).toBeGreaterThanOrEqual(12)
    }, 60_000)

    it('leaves correct books', async () => {
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })
  })
})
