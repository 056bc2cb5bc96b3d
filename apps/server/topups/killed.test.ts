import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { FakeStripe } from '@turnpike/simulators/checkout/fake-stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signDelivery } from '../../../packages/billing/topups/testing/sign-delivery.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { stripeSessionOf, type OpenedTopup } from './testing/stripe-node.ts'
import { fixtures, secretKey, webhookSecret } from './testing/stripe-shop.ts'

/** From "while the request is read" to "when all is done". */
const killedAfterMs = [0, 3, 8, 20]
const topupsPerRound = 3
const deliveriesEach = 5

describe('a gateway that is killed while Stripe delivers', () => {
  let stripe: FakeStripe
  let gateway: GatewayProcess

  beforeEach(async () => {
    stripe = new FakeStripe({ fixtures, secretKey })
    await stripe.listen()
    gateway = await GatewayProcess.create({
      payments: {
        stripe: { secret_key: secretKey, webhook_secret: webhookSecret, api_base: stripe.origin },
      },
    })
  })
  afterEach(async () => {
    await gateway.remove()
    await stripe.close()
  })

  async function buy(accountId: string): Promise<OpenedTopup> {
    const secret = readFileSync(join(gateway.directory, '.turnpike/internal_secret'), 'utf8').trim()
    const response = await fetch(`${gateway.origin}/api/v1/admin/accounts/${accountId}/topup`, {
      method: 'POST',
      headers: { 'x-internal-secret': secret, 'content-type': 'application/json' },
      body: JSON.stringify({ amount_usd: '25' }),
    })
    return (await response.json()) as OpenedTopup
  }

  /** The response's status; undefined if the connection broke. Stripe then delivers again, too. */
  async function deliver(event: object): Promise<number | undefined> {
    const { body, signature } = signDelivery(event, webhookSecret)
    try {
      const response = await fetch(`${gateway.origin}/webhooks/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': signature },
        body: new Uint8Array(body),
      })
      return response.status
    } catch {
      return undefined
    }
  }

  it('credits each payment once', async () => {
    const { data } = await gateway.admin<{ data: { id: string; balance_usd: string }[] }>('/accounts')
    const [account] = data
    for (const afterMs of killedAfterMs) {
      const topups = await Promise.all(Array.from({ length: topupsPerRound }, () => buy(account!.id)))
      const events = topups.map((topup) => stripe.account.pay(stripeSessionOf(topup)))
      const deliveries = events.flatMap((event) =>
        Array.from({ length: deliveriesEach }, () => deliver(event)),
      )
      await delay(afterMs)
      await gateway.end('SIGKILL')
      await Promise.all(deliveries)
      await gateway.start()
      const again = await Promise.all(events.map(deliver))
      expect(again).toEqual(events.map(() => 200))
    }
    const paid = 25 * killedAfterMs.length * topupsPerRound
    const { balance_usd } = await gateway.admin<{ balance_usd: string }>(`/accounts/${account!.id}`)
    expect(Number(balance_usd)).toBe(Number(account!.balance_usd) + paid)
    expect(await gateway.admin('/ledger/verify')).toMatchObject({ ok: true })
  }, 120_000)
})
