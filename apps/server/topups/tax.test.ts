import { parseUsd, type Topup } from '@turnpike/billing'
import { stripeProcessor } from '@turnpike/billing/stripe'
import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { buyers, suiteShop, secretKey, sessionIdOf } from './testing/stripe-shop.ts'

const usd = parseUsd

describe('a payment with tax', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened)

    const { accountWithKey, balanceOf } = buyers(opened)
    const now = async ({ id }: Topup): Promise<Topup> => (await opened().storage.topups.find(id))!

    it('credits the net amount, and takes back the same share of a refund', async () => {
      const account = await accountWithKey()
      const topup = await shop.open(account.id, '100')
      const { account: stripe } = shop.stripe
      const paid = stripe.pay(sessionIdOf(topup), { taxCents: 1_900 })
      await Promise.all([shop.deliver(paid), shop.deliver(paid)])
      expect(await balanceOf(account)).toBe(usd('100'))
      expect(await now(topup)).toMatchObject({ paidPico: usd('100'), taxPico: usd('19') })
      await shop.deliver(stripe.refund(sessionIdOf(topup), 1_190).event)
      expect(await balanceOf(account)).toBe(usd('90'))
      // Parts that do not divide evenly, the last of them without its event: all of them take all of the
      // credit.
      await shop.deliver(stripe.refund(sessionIdOf(topup), 333).event)
      stripe.refund(sessionIdOf(topup), 11_900 - 1_190 - 333)
      await shop.topups.sweep()
      await shop.topups.sweep()
      expect(await balanceOf(account)).toBe(0n)
      expect(await now(topup)).toMatchObject({ refundedPico: usd('100') })
    })

    it('takes all of the credit if all of the payment is disputed, and returns it', async () => {
      const account = await accountWithKey()
      const topup = await shop.open(account.id, '100')
      const { account: stripe } = shop.stripe
      await shop.deliver(stripe.pay(sessionIdOf(topup), { taxCents: 777 }))
      const { disputeId, event } = stripe.dispute(sessionIdOf(topup))
      await shop.deliver(event)
      expect(await balanceOf(account)).toBe(0n)
      await shop.deliver(stripe.closeDispute(disputeId, 'won'))
      expect(await balanceOf(account)).toBe(usd('100'))
    })

    it('is requested from Stripe as the operator has configured it', async () => {
      const account = await accountWithKey()
      const topup = await shop.open(account.id, '100')
      const tax = { automaticTax: true, taxIds: true, invoices: true }
      const returnUrl = ({ id }: Topup): string => `http://x.test/${id}`
      const processor = stripeProcessor({ secretKey, apiBase: shop.stripe.origin, returnUrl, tax })
      await processor.open({ ...topup, id: 'top_taxed', savesMethod: true })
      expect(shop.stripe.requests.at(-1)?.form).toMatchObject({
        automatic_tax: { enabled: 'true' },
        tax_id_collection: { enabled: 'true' },
        invoice_creation: { enabled: 'true', invoice_data: { metadata: { topup_id: 'top_taxed' } } },
        customer_creation: 'always',
        payment_intent_data: { setup_future_usage: 'off_session' },
        line_items: { 0: { price_data: { unit_amount: '10000', tax_behavior: 'exclusive' } } },
      })
    })

    it('leaves correct books', async () => {
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })
  })
})
