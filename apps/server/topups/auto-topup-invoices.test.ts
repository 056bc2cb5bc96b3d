import { AutoTopups, parseUsd, type Topup } from '@turnpike/billing'
import { readStripeEvent } from '@turnpike/billing/stripe-event'
import type { StripeEvent } from '@turnpike/simulators/checkout/stripe-account'
import type { StripeObject } from '@turnpike/simulators/checkout/stripe-fixtures'
import { beforeAll, describe, expect, it } from 'vitest'
import { signDelivery } from '../../../packages/billing/topups/testing/sign-delivery.ts'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { autoTools, type AutoCustomer } from './testing/auto-customer.ts'
import { buyers, suiteShop, sessionIdOf, webhookSecret } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const usd = parseUsd
const tax = { invoices: true, automaticTax: true, taxIds: true }

describe('an automatic top-up by invoice', () => {
  onEachEngine((opened) => {
    let auto: AutoTopups
    let other: AutoTopups
    const shop = suiteShop(opened, tax)
    beforeAll(async () => {
      shop.stripe.account.invoices.taxPercent = 19
      auto = newNode()
      other = newNode()
    })

    const { balanceOf } = buyers(opened)
    const { clock, store, newNode, customer, pass, settingOf } = autoTools(opened, shop)
    const stateOf = ({ account }: AutoCustomer) => settingOf(account)
    const autoTopupOf = async ({ account }: AutoCustomer): Promise<Topup> =>
      (await opened().storage.topups.find((await store().find(account.id))!.topupId!))!
    const invoicesOf = ({ method }: AutoCustomer): StripeObject[] =>
      shop.stripe.account.invoices.ofCustomer(method.customerId, 0)
    /** The payments that Stripe has taken without a checkout. */
    const takenCents = ({ method }: AutoCustomer): number[] =>
      shop.stripe.account.saved.succeeded
        .filter((one) => one['customer'] === method.customerId && one['setup_future_usage'] === null)
        .filter(({ id }) => shop.stripe.account.invoices.paymentsOf(id).length > 0)
        .map((one) => Number(one['amount']))
    const eventsOf = (type: string): StripeEvent[] =>
      shop.stripe.account.events.filter((event) => event.type === type)
    const deliver = async (event: StripeEvent): Promise<void> => {
      const { body, signature } = signDelivery(event, webhookSecret)
      const read = readStripeEvent(body, signature, webhookSecret)
      await (read.about === 'attempt' ? other.settleAttempt(read.topupId) : shop.topups.settle(read))
    }

    it('charges tax on top, which buys no credit, and returns the same share of it in a refund', async () => {
      const of = await customer()
      await Promise.all([auto.run(), other.run()])
      await Promise.all(eventsOf('invoice.paid').map(deliver))
      await Promise.all([other.run(), ...eventsOf('invoice.paid').map(deliver)])
      expect([takenCents(of), await balanceOf(of.account)]).toEqual([[2_380], usd('45')])
      expect(invoicesOf(of)).toMatchObject([
        {
          status: 'paid',
          total: 2_380,
          total_excluding_tax: 2_000,
          auto_advance: false,
          metadata: { origin: 'auto_invoice' },
        },
      ])
      const topup = await autoTopupOf(of)
      expect(topup).toMatchObject({ paidPico: usd('20'), taxPico: usd('3.8'), origin: 'auto' })
      expect(await stateOf(of)).toMatchObject({ state: 'idle', attemptsFailed: 0 })
      await shop.deliver(shop.stripe.account.refund(topup.paymentId!, 1_190).event)
      expect(await balanceOf(of.account)).toBe(usd('35'))
    })

    it('voids the invoice of a decline, so that nobody pays it later', async () => {
      const of = await customer('declined')
      await Promise.all([auto.run(), other.run()])
      await Promise.all(eventsOf('invoice.payment_failed').map(deliver))
      expect(invoicesOf(of)).toMatchObject([{ status: 'void' }])
      expect(await stateOf(of)).toMatchObject({
        state: 'waiting',
        attemptsFailed: 1,
        failure: 'insufficient_funds',
      })
      await store().disable(of.account.id, clock())
    })

    it.each([['authentication_required'], ['requires_action']] as const)(
      'voids the invoice if the bank responds %s, and opens a checkout',
      async (way) => {
        const of = await customer(way)
        await Promise.all([auto.run(), other.run()])
        expect(invoicesOf(of)).toMatchObject([{ status: 'void' }])
        const setting = await stateOf(of)
        expect(setting).toMatchObject({ state: 'needs_action' })
        const action = (await opened().storage.topups.find(setting.actionTopupId!))!
        await shop.deliver(shop.stripe.account.pay(sessionIdOf(action), { taxCents: 380 }))
        await auto.run()
        expect([takenCents(of), await balanceOf(of.account)]).toEqual([[], usd('45')])
        expect(await stateOf(of)).toMatchObject({ state: 'idle' })
      },
    )

    it('waits for a bank debit, whose invoice is paid days later', async () => {
      const of = await customer('processing')
      await auto.run()
      pass(3 * hourMs)
      await Promise.all([auto.run(), other.run()])
      expect(await stateOf(of)).toMatchObject({ state: 'charging' })
      expect(invoicesOf(of)).toHaveLength(1)
      const [intent] = shop.stripe.account.saved.intentsOf(of.method.customerId, 0)
      shop.stripe.account.saved.conclude(intent!.id, 'succeeded')
      shop.stripe.account.invoices.conclude(invoicesOf(of)[0]!.id)
      await deliver(eventsOf('invoice.paid').at(-1)!)
      expect([takenCents(of), await balanceOf(of.account)]).toEqual([[2_380], usd('45')])
    })

    it.each([['lost-before'], ['lost-after'], ['500-charged']] as const)(
      'charges once if the response to the payment is %s',
      async (way) => {
        const of = await customer()
        shop.stripe.account.saved.nextCharges(way, ...(way === 'lost-before' ? [way] : []))
        await auto.run()
        if ((await stateOf(of)).state === 'charging') {
          pass(3 * minuteMs)
          await Promise.all([auto.run(), other.run()])
        }
        expect([takenCents(of), await balanceOf(of.account)]).toEqual([[2_380], usd('45')])
        expect(invoicesOf(of)).toMatchObject([{ status: 'paid' }])
        expect(await stateOf(of)).toMatchObject({ state: 'idle', failure: null })
      },
    )

    it('leaves no open invoice if Stripe responds 500 for a day', async () => {
      const of = await customer()
      shop.stripe.account.saved.nextCharges('500-saved')
      await auto.run()
      pass(24 * hourMs)
      await auto.run()
      expect(invoicesOf(of)).toMatchObject([{ status: 'void' }])
      expect(await stateOf(of)).toMatchObject({ state: 'waiting', failure: 'no_answer' })
      await store().disable(of.account.id, clock())
    })

    it('is refused if Stripe cannot locate the customer, and leaves nothing behind', async () => {
      const of = await customer()
      shop.stripe.account.invoices.taxPercent = undefined
      await auto.run()
      shop.stripe.account.invoices.taxPercent = 19
      expect(invoicesOf(of)).toEqual([])
      expect(await stateOf(of)).toMatchObject({ state: 'waiting', failure: 'customer_tax_location_invalid' })
      await store().disable(of.account.id, clock())
    })

    it('can be refunded before the charge is known here', async () => {
      const of = await customer()
      await newNode({
        async charge(...args) {
          await shop.processor.charge(...args)
          throw new Error('killed')
        },
      }).run()
      const [intent] = shop.stripe.account.saved.intentsOf(of.method.customerId, 0)
      await shop.deliver(shop.stripe.account.refund(intent!.id, 1_190).event)
      expect([takenCents(of), await balanceOf(of.account)]).toEqual([[2_380], usd('35')])
      pass(3 * minuteMs)
      await auto.run()
      expect([takenCents(of), await balanceOf(of.account)]).toEqual([[2_380], usd('35')])
    })

    it('continues with the invoice that was begun if invoices are turned off meanwhile', async () => {
      const of = await customer()
      shop.stripe.awayFrom(4, true)
      await auto.run()
      expect(shop.stripe.back()).toBe(true)
      const plain = shop.processorWith({ invoices: false, automaticTax: false, taxIds: false })
      pass(3 * minuteMs)
      await newNode({ processor: plain }).run()
      expect([takenCents(of), await balanceOf(of.account)]).toEqual([[2_380], usd('45')])
    })

    it('leaves correct books', async () => {
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })
  })
})
