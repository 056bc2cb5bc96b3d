import { createServer, type Server } from 'node:net'
import { parseUsd, type Topup } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { randomFrom, randomSeed } from '../../../packages/storage/testing/random.ts'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { startStripeNode, stripeSessionOf, type StripeNode } from './testing/stripe-node.ts'
import { buyers, suiteShop, sessionIdOf } from './testing/stripe-shop.ts'

const hourMs = 60 * 60 * 1000

describe('a refund or dispute without an event', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened)

    const { accountWithKey, balanceOf, statusOf } = buyers(opened)

    async function paid(account: Account, usd = '25'): Promise<Topup> {
      const topup = await shop.open(account.id, usd)
      await shop.deliver(shop.stripe.account.pay(sessionIdOf(topup)))
      return topup
    }

    it('is found, whether partial, full, or failed', async () => {
      const account = await accountWithKey()
      const topup = await paid(account)
      const { account: stripe } = shop.stripe
      stripe.refund(sessionIdOf(topup), 1_000)
      await shop.topups.sweep()
      expect(await balanceOf(account)).toBe(parseUsd('15'))
      const { refundId } = stripe.refund(sessionIdOf(topup), 1_500)
      await shop.topups.sweep()
      expect([await balanceOf(account), await statusOf(topup)]).toEqual([0n, 'refunded'])
      stripe.failRefund(refundId)
      stripe.passTime(60)
      await shop.topups.sweep()
      expect([await balanceOf(account), await statusOf(topup)]).toEqual([parseUsd('15'), 'paid'])
      // The events arrive after all, in the wrong order and twice.
      for (const event of [...stripe.events.toReversed(), ...stripe.events]) await shop.deliver(event)
      await shop.topups.sweep()
      expect(await balanceOf(account)).toBe(parseUsd('15'))
    })

    it('is found when a dispute is opened, and when it is over', async () => {
      const account = await accountWithKey()
      const [won, lost] = [await paid(account), await paid(account)]
      const { account: stripe } = shop.stripe
      const disputes = [won, lost].map((topup) => stripe.dispute(sessionIdOf(topup)).disputeId)
      await shop.topups.sweep()
      expect(await balanceOf(account)).toBe(0n)
      stripe.closeDispute(disputes[0]!, 'won')
      stripe.closeDispute(disputes[1]!, 'lost')
      // The end of an old dispute is found by the check of all disputes.
      shop.clock.nowMs += 7 * hourMs
      await shop.topups.sweep()
      expect([await statusOf(won), await statusOf(lost)]).toEqual(['paid', 'refunded'])
      expect(await balanceOf(account)).toBe(parseUsd('25'))
      for (const event of stripe.events) await shop.deliver(event)
      expect(await balanceOf(account)).toBe(parseUsd('25'))
    })

    it('is found if the payment itself was never reported', async () => {
      const account = await accountWithKey()
      const topup = await shop.open(account.id, '25')
      await shop.topups.sweep()
      shop.stripe.account.pay(sessionIdOf(topup))
      shop.stripe.account.refund(sessionIdOf(topup), 500)
      // Its session is not due for a check; the refund leads to it.
      await shop.topups.sweep()
      expect([await balanceOf(account), await statusOf(topup)]).toEqual([parseUsd('20'), 'paid'])
    })

    it('of another product in the same Stripe account is looked up once, and ignored', async () => {
      const { account: stripe } = shop.stripe
      const foreign = stripe.createSession({
        mode: 'payment',
        success_url: 'http://other.test',
        line_items: { 0: { price_data: { currency: 'usd', unit_amount: '900' }, quantity: '1' } },
      })
      stripe.pay(foreign.id)
      stripe.refund(foreign.id, 900)
      await shop.topups.sweep()
      const before = shop.stripe.requests.length
      await shop.topups.sweep()
      // Only the two lists.
      expect(shop.stripe.requests.slice(before).map(({ path }) => path)).toEqual([
        '/v1/refunds',
        '/v1/disputes',
      ])
    })

    it(
      'leads to the same result, whatever is delivered, lost, or swept in between',
      { timeout: 60_000 },
      async () => {
        const seed = randomSeed()
        const random = randomFrom(seed)
        const { account: stripe } = shop.stripe
        const account = await accountWithKey()
        let cents = 0
        const first = stripe.events.length
        for (let round = 0; round < 12; round++) {
          const topup = await shop.open(account.id, '25')
          stripe.pay(sessionIdOf(topup))
          cents += 2_500
          const refunded = 100 * (1 + Math.floor(random() * 5))
          const { refundId } = stripe.refund(sessionIdOf(topup), refunded)
          if (random() < 0.4) stripe.failRefund(refundId)
          else cents -= refunded
          if (random() < 0.5) {
            const { disputeId } = stripe.dispute(sessionIdOf(topup), 1_000)
            if (random() < 0.5) stripe.closeDispute(disputeId, 'won')
            else cents -= 1_000
          }
          for (const event of stripe.events.slice(first)) if (random() < 0.1) await shop.deliver(event)
          if (random() < 0.4) await Promise.all([shop.topups.sweep(), shop.topups.sweep()])
        }
        shop.clock.nowMs += 7 * hourMs
        stripe.passTime(60)
        await shop.topups.sweep()
        expect(await balanceOf(account), `seed ${seed}`).toBe(parseUsd('0.01') * BigInt(cents))
        expect(await opened().storage.ledger.verify()).toMatchObject({ differences: [] })
      },
    )
  })
})

describe('a session whose payer watches it', () => {
  let shop: StripeNode
  beforeAll(async () => {
    shop = await startStripeNode()
  })
  afterAll(() => shop.stop())

  const asksOf = (sessionId: string): number =>
    shop.stripe.requests.filter(({ path }) => path.endsWith(sessionId)).length

  test('is paid without an event, and checked once in three seconds', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    const topup = await shop.buy(key, '25')
    const sessionId = stripeSessionOf(topup)
    const looks = await Promise.all(Array.from({ length: 20 }, () => shop.read(key, topup)))
    expect(new Set(looks.map(({ status }) => status))).toEqual(new Set(['open']))
    expect(asksOf(sessionId)).toBe(1)
    shop.stripe.account.pay(sessionId)
    await expect.poll(async () => (await shop.read(key, topup)).status, { timeout: 10_000 }).toBe('paid')
    expect(asksOf(sessionId)).toBe(2)
    expect(await shop.balanceOf(key)).toBe('25')
    // A session with a known outcome is not checked any more.
    for (let look = 0; look < 3; look++) await shop.read(key, topup)
    expect(asksOf(sessionId)).toBe(2)
  })

  test('stays open while the processor is unavailable or slow, and delays nobody for long', async () => {
    const key = await shop.node.createKey({ creditUsd: '0' })
    const [away, silent] = [await shop.buy(key, '25'), await shop.buy(key, '25')]
    const { port } = new URL(shop.stripe.origin)
    await shop.stripe.close()
    expect(await shop.read(key, away)).toMatchObject({ status: 'open' })
    const mute = await listening(Number(port))
    expect(await shop.read(key, silent)).toMatchObject({ status: 'open' })
    expect(mute.gaveUp).toBe(0)
    mute.server.close()
    await shop.stripe.listen()
    shop.stripe.account.pay(stripeSessionOf(away))
    await expect.poll(async () => (await shop.read(key, away)).status, { timeout: 10_000 }).toBe('paid')
  })
})

interface Mute {
  server: Server
  /** Connections that it closed itself, because the other side kept waiting. */
  gaveUp: number
}

/** Accepts connections and stays silent. */
function listening(port: number): Promise<Mute> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.setTimeout(10_000, () => {
      mute.gaveUp++
      socket.destroy()
    })
  })
  const mute: Mute = { server, gaveUp: 0 }
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(mute)))
}
