import { AutoTopups, parseUsd, Topups, type PaymentMethod } from '@turnpike/billing'
import type { NextCharge } from '@turnpike/simulators/checkout/saved-payments'
import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { autoTools, type AutoCustomer } from './testing/auto-customer.ts'
import { Mortal } from './testing/mortal.ts'
import { buyers, suiteShop } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const usd = parseUsd
/** More than the calls in one check of one account. */
const mostCalls = 40

describe('a node that is killed while it charges', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened)

    const { balanceOf } = buyers(opened)
    const { clock, store, customer } = autoTools(opened, shop)

    function nodeOf(mortal?: Mortal): AutoTopups {
      const living = <Part extends object>(part: Part): Part =>
        mortal === undefined ? part : mortal.of(part)
      const { log } = shop
      const methods = living(store())
      const processor = living(shop.processor)
      const topups = new Topups({
        store: living(opened().storage.topups),
        methods,
        processor,
        clock,
        log,
        onDebit: async () => undefined,
      })
      return new AutoTopups({ store: methods, topups, processor, clock, log })
    }

    /** Ends one node at each of its calls in turn; another node continues. */
    async function atEachCall(
      card: NextCharge,
      check: (of: AutoCustomer, label: string) => Promise<void>,
    ): Promise<string[]> {
      const ends: string[] = []
      for (const isDone of [false, true])
        for (let last = 1; last <= mostCalls; last++) {
          const of = await customer(card)
          const mortal = new Mortal(last, isDone)
          await nodeOf(mortal)
            .run()
            .catch(() => undefined)
          if (mortal.endedAt === undefined) break
          const label = `ended at call ${last}, ${mortal.endedAt}, which was ${isDone ? '' : 'not '}done`
          ends.push(mortal.endedAt)
          shop.clock.nowMs += 3 * minuteMs
          await Promise.all([nodeOf().run(), nodeOf().run()])
          await check(of, label)
          await store().disable(of.account.id, clock())
        }
      return ends
    }

    const intentsOf = ({ customerId }: PaymentMethod) =>
      shop.stripe.account.saved
        .intentsOf(customerId, 0)
        .filter(({ metadata }) => 'origin' in (metadata as object))

    it('has charged once in the end, at whichever call', async () => {
      const ends = await atEachCall('succeeded', async ({ account, method }, label) => {
        expect(intentsOf(method), label).toHaveLength(1)
        expect(await balanceOf(account), label).toBe(usd('45'))
        expect(await store().find(account.id), label).toMatchObject({ state: 'idle', attemptsFailed: 0 })
      })
      for (const step of ['begin', 'charge', 'change', 'recordSuccess']) expect(ends).toContain(step)
    })

    it('has counted one decline in the end', async () => {
      const ends = await atEachCall('declined', async ({ account, method }, label) => {
        expect(intentsOf(method), label).toHaveLength(1)
        expect(await balanceOf(account), label).toBe(usd('25'))
        expect(await store().find(account.id), label).toMatchObject({ state: 'waiting', attemptsFailed: 1 })
      })
      for (const step of ['begin', 'charge', 'recordFailure']) expect(ends).toContain(step)
    })

    it('has opened one checkout in the end, and canceled the charge', async () => {
      const ends = await atEachCall('authentication_required', async ({ account, method }, label) => {
        expect(intentsOf(method), label).toMatchObject([{ status: 'canceled' }])
        expect(await store().find(account.id), label).toMatchObject({ state: 'needs_action' })
        const { rows } = await opened().storage.topups.list(account.id, { limit: 10 })
        expect(
          rows.map(({ amountPico }) => amountPico),
          label,
        ).toEqual([usd('20'), usd('25')])
      })
      for (const step of ['charge', 'cancelCharge', 'open', 'needsAction']) expect(ends).toContain(step)
    })

    it('leaves correct books', async () => {
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })
  })
})
