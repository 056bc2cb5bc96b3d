import { parseUsd, Topups, type TopupStore } from '@turnpike/billing'
import { stripeProcessor } from '@turnpike/billing/stripe'
import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { buyers, suiteShop, secretKey, sessionIdOf } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Makes the database fail at every change of a top-up, after its ledger entry was written. */
const breakChanges = {
  sqlite: {
    on: `CREATE TRIGGER broken BEFORE UPDATE ON topups BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    off: 'DROP TRIGGER broken',
  },
  postgres: {
    on: `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
      CREATE TRIGGER broken BEFORE UPDATE ON topups FOR EACH ROW EXECUTE FUNCTION broken()`,
    off: 'DROP TRIGGER broken ON topups; DROP FUNCTION broken',
  },
} as const

describe('a top-up is correct in the end', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened)

    const { accountWithKey, balanceOf, statusOf } = buyers(opened)

    it('if the event never came, because Stripe is queried', async () => {
      const account = await accountWithKey()
      const paid = await shop.open(account.id, '25')
      const late = await shop.open(account.id, '25')
      const failed = await shop.open(account.id, '25')
      const expired = await shop.open(account.id, '25')
      const open = await shop.open(account.id, '25')
      const { account: stripe } = shop.stripe
      stripe.pay(sessionIdOf(paid))
      stripe.pay(sessionIdOf(late), { later: true })
      stripe.pay(sessionIdOf(failed), { later: true })
      stripe.conclude(sessionIdOf(failed), 'failed')
      stripe.expire(sessionIdOf(expired))
      await shop.topups.sweep()
      const statuses = async (): Promise<string[]> =>
        Promise.all([paid, late, failed, expired, open].map(statusOf))
      expect(await statuses()).toEqual(['paid', 'open', 'expired', 'expired', 'open'])
      stripe.conclude(sessionIdOf(late), 'succeeded')
      shop.clock.nowMs += 10 * minuteMs
      await shop.topups.sweep()
      expect(await statuses()).toEqual(['paid', 'paid', 'expired', 'expired', 'open'])
      expect(await balanceOf(account)).toBe(parseUsd('50'))
      // The events arrive after all.
      for (const event of stripe.events) await shop.deliver(event)
      expect(await balanceOf(account)).toBe(parseUsd('50'))
    })

    it('if Stripe is unavailable when it is queried, because it is queried again', async () => {
      const account = await accountWithKey()
      const topup = await shop.open(account.id, '25')
      shop.stripe.account.pay(sessionIdOf(topup))
      await shop.stripe.close()
      await expect(shop.topups.sweep()).rejects.toMatchObject({ status: 503 })
      await shop.stripe.listen()
      shop.clock.nowMs += 7 * hourMs
      await shop.topups.sweep()
      expect(await statusOf(topup)).toBe('paid')
    })

    it('if Stripe no longer has the session, which counts as expired after its time', async () => {
      const account = await accountWithKey()
      const topup = await shop.open(account.id, '25')
      await opened().database.execute(`UPDATE topups SET session_id = 'cs_gone' WHERE id = '${topup.id}'`)
      await shop.topups.sweep()
      expect(await statusOf(topup)).toBe('open')
      // Stripe has its own clock, which decides when a session ends.
      shop.clock.nowMs = topup.checkout!.expiresAtMs + hourMs
      await shop.topups.sweep()
      expect(await statusOf(topup)).toBe('expired')
      expect(shop.logLines.at(-1)).toContain('the payment processor does not know this top-up')
    })

    it('if the database fails after the entry: nothing is kept, and the next delivery credits', async () => {
      const account = await accountWithKey()
      const topup = await shop.open(account.id, '25')
      const event = shop.stripe.account.pay(sessionIdOf(topup))
      const { database, storage } = opened()
      const { on, off } = breakChanges[database.engine]
      await database.execute(on)
      await expect(shop.deliver(event)).rejects.toThrow('broken')
      expect(await balanceOf(account)).toBe(0n)
      await database.execute(off)
      await Promise.all([1, 2, 3].map(() => shop.deliver(event)))
      expect(await balanceOf(account)).toBe(parseUsd('25'))
      expect((await storage.ledger.list(account.id, { limit: 5 })).rows).toHaveLength(1)
    })

    it('if the node ends before it stores the session: a retry, or the event, finds it', async () => {
      const account = await accountWithKey()
      const { storage } = opened()
      const store: TopupStore = { ...storage.topups, attach: () => Promise.reject(new Error('killed')) }
      const apiBase = shop.stripe.origin
      const processor = stripeProcessor({ secretKey, apiBase, returnUrl: ({ id }) => `http://x.test/${id}` })
      const log = { warn: () => undefined, error: () => undefined }
      const clock = (): number => shop.clock.nowMs++
      const methods = storage.autoTopups
      const dying = new Topups({ store, methods, processor, clock, log, onDebit: async () => undefined })
      const purchase = {
        accountId: account.id,
        keyId: null,
        amountPico: parseUsd('25'),
        idempotencyKey: 'order-1',
      }
      await expect(dying.open(purchase)).rejects.toThrow('killed')
      const again = await shop.topups.open(purchase)
      const opens = shop.stripe.requests.filter(({ idempotencyKey }) => idempotencyKey === again.id)
      expect(opens).toHaveLength(2)
      await expect(dying.open({ ...purchase, idempotencyKey: 'order-2' })).rejects.toThrow('killed')
      const lost = shop.stripe.requests.at(-1)!.idempotencyKey!
      const session = await processor.open((await storage.topups.find(lost))!)
      await shop.deliver(shop.stripe.account.pay(session.id))
      expect(await balanceOf(account)).toBe(parseUsd('25'))
      expect(await shop.topups.find(account.id, lost)).toMatchObject({ paidPico: parseUsd('25') })
    })

    it('and the books are correct', async () => {
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })
  })
})
