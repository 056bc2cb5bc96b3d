import { FakeStripe } from '@turnpike/simulators/checkout/fake-stripe'
import type { ConfigurationInput } from '../../configuration/schema/schema.ts'
import { startTestNode, type TestKey, type TestNode } from '../../../../tests/nodes/test-node.ts'
import { signDelivery } from '../../../../packages/billing/topups/testing/sign-delivery.ts'
import { fixtures, secretKey, webhookSecret } from './stripe-shop.ts'

export interface OpenedTopup {
  session_id: string
  status: string
  checkout_url: string | null
  paid_usd: string
  refunded_usd: string
  disputed_usd: string
}

/** A whole gateway that sells credit through a simulated Stripe. */
export interface StripeNode {
  node: TestNode
  stripe: FakeStripe
  /** Opens a top-up of the key's account for the key, as an operator. */
  buy(key: TestKey, usd: string): Promise<OpenedTopup>
  read(key: TestKey, topup: OpenedTopup): Promise<OpenedTopup>
  balanceOf(key: TestKey): Promise<string>
  /** Sends an event to the webhook, signed unless `headers` replaces the signature. */
  deliver(event: object, headers?: Record<string, string>): Promise<Response>
  stop(): Promise<void>
}

export async function startStripeNode(
  databaseUrl?: string,
  more: ConfigurationInput = {},
): Promise<StripeNode> {
  const stripe = new FakeStripe({ fixtures, secretKey })
  await stripe.listen()
  const node = await startTestNode({
    ...(databaseUrl !== undefined && { databaseUrl }),
    input: {
      ...more,
      payments: {
        stripe: { secret_key: secretKey, webhook_secret: webhookSecret, api_base: stripe.origin },
      },
    },
  })
  return {
    node,
    stripe,
    buy: (key, usd) =>
      node.admin(`/accounts/${key.accountId}/topup`, {
        method: 'POST',
        body: { amount_usd: usd, key_id: key.id },
      }),
    read: (key, topup) => node.admin(`/accounts/${key.accountId}/topup/${topup.session_id}`),
    async balanceOf(key) {
      const { balance_usd } = await node.admin<{ balance_usd: string }>(`/accounts/${key.accountId}`)
      return balance_usd
    },
    deliver(event, headers = {}) {
      const { body, signature } = signDelivery(event, webhookSecret)
      return fetch(`${node.origin}/webhooks/stripe`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          ...headers,
        },
        body: new Uint8Array(body),
      })
    },
    async stop() {
      await node.stop()
      await stripe.close()
    },
  }
}

/** Stripe's identifier of the session, with which the checkout's URL ends. */
export function stripeSessionOf(topup: OpenedTopup): string {
  return topup.checkout_url!.split('/').at(-1)!
}
