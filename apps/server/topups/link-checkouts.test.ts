import { LinkCheckouts, parseUsd, PayLinks, type PayLink, type Topup } from '@turnpike/billing'
import { beforeAll, describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { buyers, suiteShop, sessionIdOf } from './testing/stripe-shop.ts'

const hourMs = 60 * 60 * 1000
const usd = parseUsd

describe('the checkout that a link opens', () => {
  onEachEngine((opened) => {
    let links: PayLinks
    let checkouts: LinkCheckouts
    const shop = suiteShop(opened)
    beforeAll(async () => {
      const clock = (): number => shop.clock.nowMs
      links = new PayLinks({ secret: 'of a test', publicUrl: () => 'http://x.test', clock })
      const bounds = { minPico: usd('5'), maxPico: usd('10000') }
      checkouts = new LinkCheckouts({ topups: shop.topups, bounds, clock })
    })

    const { accountWithKey } = buyers(opened)
    async function newLink(needed = '7'): Promise<PayLink> {
      const { id } = await accountWithKey()
      const { checkoutUrl } = links.of(id, null, usd(needed))
      return links.read(checkoutUrl.split('/').at(-1)!)!
    }
    const sessionsMade = (): number =>
      shop.stripe.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
        .length
    const open = (link: PayLink): Promise<Topup> => checkouts.open(link, 0n)

    it('is the same one, whoever opens the link, however often', async () => {
      const link = await newLink()
      const before = sessionsMade()
      const first = await Promise.all([open(link), open(link), open(link)])
      shop.clock.nowMs += hourMs
      const later = await open(link)
      expect(new Set([...first, later].map(({ id }) => id)).size).toBe(1)
      expect(new Set([...first, later].map(sessionIdOf)).size).toBe(1)
      // Those opened at once use the same idempotency key, so Stripe has one session.
      expect(
        new Set(shop.stripe.requests.slice(-6).map(({ idempotencyKey }) => idempotencyKey)).size,
      ).toBeLessThan(4)
      expect(sessionsMade() - before).toBeLessThanOrEqual(3)
    })

    it('is a new one if it has expired at Stripe without an event', async () => {
      const link = await newLink()
      const ended = await open(link)
      shop.stripe.account.expire(sessionIdOf(ended))
      shop.clock.nowMs += 10_000
      const next = await open(link)
      expect(next.id).not.toBe(ended.id)
      expect(shop.stripe.account.session(sessionIdOf(next))).toMatchObject({ status: 'open' })
      expect(await opened().storage.topups.find(ended.id)).toMatchObject({ expired: true })
    })

    it('is not opened again if it was paid without an event', async () => {
      const link = await newLink()
      const paid = await open(link)
      shop.stripe.account.pay(sessionIdOf(paid))
      shop.clock.nowMs += 10_000
      const before = sessionsMade()
      expect(await open(link)).toMatchObject({ id: paid.id, paidPico: usd('7') })
      expect(sessionsMade()).toBe(before)
      expect(await checkouts.statusOf(link)).toBe('paid')
    })

    it('is replaced by one for a higher amount, after it is closed', async () => {
      const link = await newLink()
      const small = await open(link)
      const more = await open({ ...link, neededPico: usd('9') })
      expect([small.amountPico, more.amountPico]).toEqual([usd('7'), usd('9')])
      expect(shop.stripe.account.session(sessionIdOf(small))).toMatchObject({ status: 'expired' })
    })
  })
})
