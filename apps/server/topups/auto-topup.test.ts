import { AutoTopups, parseUsd } from '@turnpike/billing'
import type { StripeEvent } from '@turnpike/simulators/checkout/stripe-account'
import { beforeAll, describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { autoTools } from './testing/auto-customer.ts'
import { buyers, suiteShop, sessionIdOf } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const usd = parseUsd

describe('an automatic top-up', () => {
  onEachEngine((opened) => {
    let auto: AutoTopups
    /** Another node on the same database. */
    let other: AutoTopups
    const shop = suiteShop(opened)
    beforeAll(async () => {
      auto = newNode()
      other = newNode()
    })

    const { balanceOf } = buyers(opened)
    const { clock, customer, newNode, settingOf, eventsOf, pass, chargesOf, ...tools } = autoTools(
      opened,
      shop,
    )
    const { store } = tools
    const deliver = (event: StripeEvent): Promise<void> => tools.deliver(event, other)

    it('keeps the payment method that the customer saved, once', async () => {
      const { account, method } = await customer()
      expect(method).toMatchObject({ kind: 'card', brand: 'visa', last4: '4242', expiresMonth: '2029-04' })
      const event = shop.stripe.account.events.findLast(({ type }) => type === 'checkout.session.completed')!
      await Promise.all([deliver(event), deliver(event)])
      expect(await store().methods(account.id)).toHaveLength(1)
      await store().disable(account.id, clock())
    })

    it('charges once below the threshold, and not above it', async () => {
      const { account, method } = await customer()
      await auto.run()
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('45')])
      expect(await settingOf(account)).toMatchObject({ state: 'idle', attemptsFailed: 0 })
      pass(hourMs)
      await auto.run()
      expect(chargesOf(method)).toBe(1)
    })

    it('charges once, however often two nodes check it and whatever events arrive', async () => {
      const { account, method } = await customer()
      await Promise.all([auto, other, auto, other, auto, other].map((node) => node.run()))
      const paid = shop.stripe.account.events.findLast(({ type }) => type === 'payment_intent.succeeded')!
      await Promise.all([deliver(paid), deliver(paid), other.run()])
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('45')])
    })

    it.each([['lost-before'], ['lost-after'], ['500-charged']] as const)(
      'charges once if the response is %s',
      async (way) => {
        const { account, method } = await customer()
        // The SDK retries by itself, with the same key.
        shop.stripe.account.saved.nextCharges(way, ...(way === 'lost-before' ? [way] : []))
        await auto.run()
        if ((await settingOf(account)).state === 'charging') {
          await other.run()
          expect((await settingOf(account)).state).toBe('charging')
          pass(3 * minuteMs)
          await Promise.all([auto.run(), other.run()])
        }
        expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('45')])
        expect(await settingOf(account)).toMatchObject({ state: 'idle', failure: null })
      },
    )

    it('makes no second charge while Stripe repeats a stored 500', async () => {
      const { account, method } = await customer()
      shop.stripe.account.saved.nextCharges('500-saved')
      await auto.run()
      for (let looks = 0; looks < 3; looks++) {
        pass(7 * hourMs)
        await auto.run()
      }
      expect([chargesOf(method), (await settingOf(account)).state]).toEqual([0, 'charging'])
      pass(3 * hourMs)
      await auto.run()
      expect(await settingOf(account)).toMatchObject({ state: 'waiting', failure: 'no_answer' })
      pass(hourMs)
      await auto.run()
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('45')])
    })

    it('waits after a decline, and stops after three', async () => {
      const { account, method } = await customer('declined')
      await auto.run()
      expect(await settingOf(account)).toMatchObject({
        state: 'waiting',
        attemptsFailed: 1,
        failure: 'insufficient_funds',
      })
      pass(59 * minuteMs)
      await auto.run()
      expect((await settingOf(account)).attemptsFailed).toBe(1)
      pass(2 * minuteMs)
      await auto.run()
      expect(await settingOf(account)).toMatchObject({ state: 'waiting', attemptsFailed: 2 })
      pass(6 * hourMs + minuteMs)
      await auto.run()
      expect(await settingOf(account)).toMatchObject({ state: 'stopped', attemptsFailed: 3 })
      pass(48 * hourMs)
      await auto.run()
      expect(await eventsOf(account)).toEqual([
        'auto_topup.stopped',
        'auto_topup.failed',
        'auto_topup.failed',
      ])
      const { paymentMethodId: _, ...setting } = await settingOf(account)
      expect(setting).toMatchObject({ state: 'stopped', attemptsFailed: 3 })
      shop.stripe.account.saved.nextCharges('succeeded')
      await store().set(account.id, { ...setting, paymentMethodId: method.id }, clock())
      await auto.run()
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('45')])
    })

    it.each([['authentication_required'], ['requires_action']] as const)(
      'opens a checkout if the bank responds %s, and continues with the new card once that is paid',
      async (way) => {
        const { account, method } = await customer(way)
        await Promise.all([auto.run(), other.run()])
        const setting = await settingOf(account)
        expect(setting).toMatchObject({ state: 'needs_action', failure: 'authentication_required' })
        const charge = shop.stripe.account.saved.intentsOf(method.customerId, 0)[0]
        expect(charge).toMatchObject({ status: 'canceled' })
        expect(await eventsOf(account)).toEqual(['auto_topup.action_required'])
        pass(minuteMs)
        await auto.run()
        const action = (await opened().storage.topups.find(setting.actionTopupId!))!
        await shop.deliver(shop.stripe.account.pay(sessionIdOf(action)))
        await auto.run()
        const after = await settingOf(account)
        expect(after).toMatchObject({ state: 'idle', attemptsFailed: 0, failure: null })
        expect(after.paymentMethodId).not.toBe(method.id)
        expect([chargesOf(method), await balanceOf(account)]).toEqual([0, usd('45')])
      },
    )

    it('counts a checkout that is not paid within a day as a failure', async () => {
      const { account } = await customer('authentication_required')
      await auto.run()
      pass(25 * hourMs)
      await store().concludeActions(10, clock())
      expect(await settingOf(account)).toMatchObject({ state: 'waiting', attemptsFailed: 1 })
      await store().disable(account.id, clock())
    })

    it('waits for a bank debit, and charges nothing meanwhile', async () => {
      const { account, method } = await customer('processing')
      await auto.run()
      pass(3 * hourMs)
      await Promise.all([auto.run(), other.run()])
      expect(await settingOf(account)).toMatchObject({ state: 'charging' })
      const [intent] = shop.stripe.account.saved.intentsOf(method.customerId, 0)
      shop.stripe.account.saved.conclude(intent!.id, 'succeeded')
      await deliver(shop.stripe.account.events.at(-1)!)
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('45')])
      expect(await settingOf(account)).toMatchObject({ state: 'idle' })
    })

    it('never charges more than the monthly limit', async () => {
      const { account, method } = await customer('succeeded', { monthlyCap: '39.99' })
      await opened().storage.accounts.update(account.id, {})
      const setting = await settingOf(account)
      await store().set(account.id, { ...setting, thresholdPico: usd('1000') }, clock())
      for (let minutes = 0; minutes < 30; minutes += 5) {
        await auto.run()
        pass(5 * minuteMs)
      }
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('45')])
      expect(await eventsOf(account)).toEqual(['auto_topup.capped'])
      expect((await settingOf(account)).cappedMonth).toMatch(/^\d{4}-\d\d$/)
      await store().set(account.id, { ...setting, monthlyCapPico: usd('40') }, clock())
      await auto.run()
      expect(chargesOf(method)).toBe(1)
      await store().disable(account.id, clock())
    })

    it('does not charge an account that turned it off, is suspended, or removed its card', async () => {
      const off = await customer()
      await store().disable(off.account.id, clock())
      const suspended = await customer()
      await opened().storage.accounts.update(suspended.account.id, { status: 'suspended' })
      const removed = await customer()
      await auto.removeMethod(removed.method)
      expect(await settingOf(removed.account)).toMatchObject({ enabled: false })
      await auto.run()
      expect([off, suspended, removed].map(({ method }) => chargesOf(method))).toEqual([0, 0, 0])
      const again = { ...(await settingOf(removed.account)), enabled: true }
      expect(await store().set(removed.account.id, again, clock())).toBeUndefined()
    })

    it('can be refunded and disputed like any other', async () => {
      const { account, method } = await customer()
      await auto.run()
      const [intent] = shop.stripe.account.saved.intentsOf(method.customerId, 0)
      await deliver(shop.stripe.account.refund(intent!.id, 500).event)
      expect(await balanceOf(account)).toBe(usd('40'))
      await deliver(shop.stripe.account.dispute(intent!.id, 1500).event)
      expect(await balanceOf(account)).toBe(usd('25'))
      await store().disable(account.id, clock())
    })

    it('can be refunded before the charge is known here', async () => {
      const { account, method } = await customer()
      shop.stripe.account.saved.nextCharges('lost-after')
      await newNode({
        async charge(...args) {
          await shop.processor.charge(...args)
          throw new Error('killed')
        },
      }).run()
      const [intent] = shop.stripe.account.saved.intentsOf(method.customerId, 0)
      await deliver(shop.stripe.account.refund(intent!.id, 500).event)
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('40')])
      pass(3 * minuteMs)
      await auto.run()
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('40')])
      expect(await settingOf(account)).toMatchObject({ state: 'idle' })
    })

    it('leaves correct books', async () => {
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })
  })
})
