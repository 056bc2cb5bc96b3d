import { Topups } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { autoTools, type AutoCustomer } from './testing/auto-customer.ts'
import { Mortal } from './testing/mortal.ts'
import { suiteShop, sessionIdOf } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('a payment method whose account is closed', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened)

    const { store, customer, newNode } = autoTools(opened, shop)
    const close = ({ account }: AutoCustomer): Promise<boolean> =>
      opened().storage.accounts.close(account.id, shop.clock.nowMs++)
    const isAttached = ({ method }: AutoCustomer): boolean =>
      shop.stripe.account.saved.isAttached(method.methodId)
    const detachments = (): number =>
      shop.stripe.requests.filter(({ path }) => path.endsWith('/detach')).length

    function nodeOf(mortal: Mortal): Topups {
      const { log, clock } = shop
      return new Topups({
        store: mortal.of(opened().storage.topups),
        methods: mortal.of(store()),
        processor: mortal.of(shop.processor),
        clock: () => clock.nowMs++,
        log,
        onDebit: async () => undefined,
      })
    }

    it('is detached at Stripe too, once', async () => {
      const of = await customer()
      expect(await close(of)).toBe(true)
      expect(isAttached(of)).toBe(true)
      await Promise.all([shop.topups.sweep(), shop.topups.sweep()])
      expect(isAttached(of)).toBe(false)
      const before = detachments()
      shop.clock.nowMs += 24 * hourMs
      await shop.topups.sweep()
      expect(detachments()).toBe(before)
    })

    it('is detached if an operator closes the account', async () => {
      const of = await customer()
      await opened().storage.accounts.update(of.account.id, { status: 'closed' })
      shop.clock.nowMs += minuteMs
      await shop.topups.sweep()
      expect(isAttached(of)).toBe(false)
      expect(await store().find(of.account.id)).toMatchObject({ enabled: false })
    })

    it('is detached later if Stripe is unavailable, or rejects the key', async () => {
      for (const status of [503, 403]) {
        const of = await customer()
        await close(of)
        shop.stripe.failNext(...Array<number>(12).fill(status))
        await shop.topups.sweep().catch(() => undefined)
        await shop.topups.sweep().catch(() => undefined)
        expect(isAttached(of)).toBe(true)
        for (let looks = 0; looks < 20 && isAttached(of); looks++) {
          shop.clock.nowMs += 6 * minuteMs
          await shop.topups.sweep().catch(() => undefined)
        }
        expect(isAttached(of)).toBe(false)
      }
    }, 30_000)

    it('can be removed by its customer while Stripe is unavailable, and is detached later', async () => {
      const of = await customer()
      shop.stripe.failNext(503, 503)
      await newNode().removeMethod(of.method)
      expect([await store().methods(of.account.id), isAttached(of)]).toEqual([[], true])
      shop.clock.nowMs += 6 * minuteMs
      await shop.topups.sweep()
      expect(isAttached(of)).toBe(false)
    })

    it('is detached in the end by another node, at whichever point one was killed', async () => {
      const ends: string[] = []
      for (const isDone of [false, true])
        for (let last = 1; last <= 20; last++) {
          const of = await customer()
          await close(of)
          const mortal = new Mortal(last, isDone)
          await nodeOf(mortal)
            .sweep()
            .catch(() => undefined)
          if (mortal.endedAt !== undefined) ends.push(mortal.endedAt)
          shop.clock.nowMs += 6 * minuteMs
          await shop.topups.sweep()
          expect(isAttached(of), `ended at ${mortal.endedAt}, ${isDone ? '' : 'not '}done`).toBe(false)
          if (mortal.endedAt === undefined) break
        }
      for (const step of ['claimRemoved', 'forget', 'forgotten']) expect(ends).toContain(step)
    }, 30_000)

    it('is detached if it is saved only afterwards, at a checkout that was open', async () => {
      const { account } = await customer()
      const topup = await shop.topups.open({
        accountId: account.id,
        keyId: null,
        amountPico: 25_000_000_000_000n,
        idempotencyKey: null,
        savesMethod: true,
      })
      await opened().storage.accounts.close(account.id, shop.clock.nowMs++)
      await shop.deliver(shop.stripe.account.pay(sessionIdOf(topup)))
      expect(await store().methods(account.id)).toEqual([])
      const intent = shop.stripe.account.saved.succeeded.at(-1)!
      expect(shop.stripe.account.saved.isAttached(String(intent['payment_method']))).toBe(true)
      shop.clock.nowMs += minuteMs
      await shop.topups.sweep()
      expect(shop.stripe.account.saved.isAttached(String(intent['payment_method']))).toBe(false)
    })
  })
})
