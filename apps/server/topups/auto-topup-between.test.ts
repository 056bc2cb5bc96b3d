import { AutoTopups, parseUsd, type PaymentMethod } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import type { StripeEvent } from '@turnpike/simulators/checkout/stripe-account'
import { beforeAll, describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { autoTools } from './testing/auto-customer.ts'
import { buyers, suiteShop } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const usd = parseUsd

describe('an automatic top-up with an event in between', () => {
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

    it('stops when money of any top-up is refunded, because it would charge that again', async () => {
      const refunded = await customer()
      await auto.run()
      const [intent] = shop.stripe.account.saved.intentsOf(refunded.method.customerId, 0)
      await deliver(shop.stripe.account.refund(intent!.id, 2000).event)
      const disputed = await customer()
      await auto.run()
      const { rows } = await opened().storage.topups.list(disputed.account.id, { limit: 10 })
      const bought = rows.find(({ origin }) => origin === 'checkout')!
      await deliver(shop.stripe.account.dispute(bought.paymentId!).event)
      for (const { account, method } of [refunded, disputed]) {
        expect(await balanceOf(account)).toBeLessThan(usd('30'))
        pass(hourMs)
        await Promise.all([auto.run(), other.run()])
        expect(chargesOf(method)).toBe(1)
      }
      expect(await settingOf(refunded.account)).toMatchObject({ state: 'stopped', failure: 'refunded' })
      expect(await settingOf(disputed.account)).toMatchObject({ state: 'stopped', failure: 'disputed' })
      expect(await eventsOf(disputed.account)).toEqual(['auto_topup.stopped'])
      await store().set(refunded.account.id, await settingOf(refunded.account), clock())
      await auto.run()
      expect([chargesOf(refunded.method), await balanceOf(refunded.account)]).toEqual([2, usd('45')])
    })

    it('does not repeat a charge of a killed node if it is no longer wanted', async () => {
      const unwanted: Record<string, (of: { account: Account; method: PaymentMethod }) => Promise<unknown>> =
        {
          off: ({ account }) => store().disable(account.id, clock()),
          removed: ({ method }) => auto.removeMethod(method),
          suspended: ({ account }) => opened().storage.accounts.update(account.id, { status: 'suspended' }),
          closed: ({ account }) => opened().storage.accounts.close(account.id, clock()),
        }
      for (const [how, turnOff] of Object.entries(unwanted)) {
        const of = await customer()
        await newNode({
          charge: () => Promise.reject(new Error('killed')),
        }).run()
        expect((await settingOf(of.account)).state, how).toBe('charging')
        await turnOff(of)
        pass(3 * minuteMs)
        await Promise.all([auto.run(), other.run()])
        expect([chargesOf(of.method), await settingOf(of.account)], how).toEqual([
          0,
          expect.objectContaining({ state: 'idle', attemptsFailed: 0 }),
        ])
        expect(await eventsOf(of.account), how).toEqual([])
      }
    })

    it('books a charge in progress when an operator turns it off, and makes no other', async () => {
      const begun: { account: Account; method: PaymentMethod }[] = []
      for (const isCharged of [true, false]) {
        begun.push(await customer())
        await newNode({
          async charge(...args) {
            if (isCharged) await shop.processor.charge(...args)
            throw new Error('killed')
          },
        }).run()
      }
      const idle = await customer()
      pass(3 * minuteMs)
      await newNode({ mayCharge: false }).run()
      const all = [...begun, idle]
      expect(all.map(({ method }) => chargesOf(method))).toEqual([1, 0, 0])
      const balances = await Promise.all(all.map(({ account }) => balanceOf(account)))
      expect(balances).toEqual([usd('45'), usd('25'), usd('25')])
      for (const { account } of all) {
        expect((await settingOf(account)).state).toBe('idle')
        await store().disable(account.id, clock())
      }
    })

    it('charges the amount that was set when it began, whatever is set meanwhile', async () => {
      const { account, method } = await customer()
      await newNode({
        async charge(...args) {
          const changes = { amountPico: usd('500'), monthlyCapPico: usd('500') }
          await store().set(account.id, { ...(await settingOf(account)), ...changes }, clock())
          await shop.processor.charge(...args)
          throw new Error('killed')
        },
      }).run()
      pass(3 * minuteMs)
      await Promise.all([auto.run(), other.run()])
      expect([chargesOf(method), await balanceOf(account)]).toEqual([1, usd('45')])
    })

    it('fails if Stripe no longer has the card, and stops after three attempts', async () => {
      const { account, method } = await customer()
      await shop.processor.forget(method)
      for (const wait of [0, 2 * hourMs, 7 * hourMs]) {
        pass(wait)
        await auto.run()
      }
      expect(await settingOf(account)).toMatchObject({ state: 'stopped', failure: 'resource_missing' })
    })

    it('is reported once if the webhook arrives before the response', async () => {
      for (const card of ['succeeded', 'declined', 'authentication_required'] as const) {
        const { account, method } = await customer(card)
        await newNode({
          async charge(...args) {
            const answer = await shop.processor.charge(...args)
            await deliver(shop.stripe.account.events.at(-1)!)
            return answer
          },
        }).run()
        const isPaid = card === 'succeeded'
        expect([chargesOf(method), await balanceOf(account)]).toEqual([
          isPaid ? 1 : 0,
          usd(isPaid ? '45' : '25'),
        ])
        expect(await eventsOf(account)).toHaveLength(isPaid ? 0 : 1)
        await store().disable(account.id, clock())
      }
    })

    it('leaves correct books', async () => {
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })
  })
})
