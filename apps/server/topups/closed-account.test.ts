import { parseUsd, type Topup } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { buyers, suiteShop, sessionIdOf } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const usd = parseUsd

describe('a checkout whose account is closed', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened)

    const { accountWithKey, statusOf } = buyers(opened)
    const close = ({ id }: Account): Promise<boolean> =>
      opened().storage.accounts.close(id, shop.clock.nowMs++)
    const stateAtStripe = (topup: Topup): unknown => shop.stripe.account.session(sessionIdOf(topup))['status']
    async function toldOperators(topup: Topup): Promise<unknown[]> {
      const { rows } = await opened().storage.events.list(null, { limit: 50 }, 'topup.paid_after_closing')
      return rows.map(({ data }) => data).filter((data) => data['session_id'] === topup.id)
    }

    it.each(['its owner', 'an operator'])('by %s is expired at Stripe', async (who) => {
      const [account, other] = [await accountWithKey(), await accountWithKey()]
      const [mine, theirs] = [await shop.open(account.id, '25'), await shop.open(other.id, '25')]
      if (who === 'its owner') expect(await close(account)).toBe(true)
      else await opened().storage.accounts.update(account.id, { status: 'closed' })
      shop.clock.nowMs += minuteMs
      await Promise.all([shop.topups.sweep(), shop.topups.sweep()])
      expect([stateAtStripe(mine), stateAtStripe(theirs)]).toEqual(['expired', 'open'])
      expect([await statusOf(mine), await statusOf(theirs)]).toEqual(['expired', 'open'])
      expect(() => shop.stripe.account.pay(sessionIdOf(mine))).toThrow()
    })

    it('is expired later if Stripe is unavailable', async () => {
      const account = await accountWithKey()
      const topup = await shop.open(account.id, '25')
      await close(account)
      shop.stripe.failNext(...Array<number>(12).fill(503))
      for (let looks = 0; looks < 20 && stateAtStripe(topup) === 'open'; looks++) {
        await shop.topups.sweep().catch(() => undefined)
        shop.clock.nowMs += 6 * minuteMs
      }
      expect([stateAtStripe(topup), await statusOf(topup)]).toEqual(['expired', 'expired'])
    }, 30_000)

    it('is also expired if it was opened at that very moment', async () => {
      const account = await accountWithKey()
      const purchase = { accountId: account.id, keyId: null, amountPico: usd('25'), idempotencyKey: null }
      const { topups: store } = opened().storage
      const reserved = await store.reserve({ ...purchase, processor: 'stripe' }, shop.clock.nowMs)
      const session = await shop.processor.open(reserved)
      await close(account)
      const { id: sessionId, url, expiresAtMs } = session
      const topup = await store.attach(reserved.id, { sessionId, url, expiresAtMs })
      shop.clock.nowMs += 10 * minuteMs
      await shop.topups.sweep()
      expect([stateAtStripe(topup), await statusOf(topup)]).toEqual(['expired', 'expired'])
    })

    it('credits the account once if it is paid all the same, and operators are notified', async () => {
      for (const isEvent of [true, false]) {
        const account = await accountWithKey()
        const topup = await shop.open(account.id, '25')
        const before = await shop.open(account.id, '5')
        await shop.deliver(shop.stripe.account.pay(sessionIdOf(before)))
        await close(account)
        const event = shop.stripe.account.pay(sessionIdOf(topup))
        if (isEvent) await Promise.all([shop.deliver(event), shop.deliver(event)])
        shop.clock.nowMs += minuteMs
        await shop.topups.sweep()
        expect(await statusOf(topup)).toBe('paid')
        const { balancePico, unassignedPico } = (await opened().storage.accounts.find(account.id))!
        expect(balancePico + unassignedPico).toBe(usd('30'))
        expect(await toldOperators(topup)).toEqual([
          expect.objectContaining({ closed_account_id: account.id, paid_usd: '25', sandbox: false }),
        ])
        expect(await toldOperators(before)).toEqual([])
        // A refund by the operator at Stripe removes the credit again.
        const { event: refund } = shop.stripe.account.refund(sessionIdOf(topup), 2_500)
        await shop.deliver(refund)
        const left = (await opened().storage.accounts.find(account.id))!
        expect([await statusOf(topup), left.balancePico + left.unassignedPico]).toEqual([
          'refunded',
          usd('5'),
        ])
        expect((await opened().storage.ledger.verify()).differences).toEqual([])
      }
    })
  })
})
