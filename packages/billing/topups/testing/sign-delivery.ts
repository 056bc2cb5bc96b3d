import Stripe from 'stripe'

/** A delivery to the webhook: its bytes, and the signature header from the SDK's own helper. */
export function signDelivery(
  event: object,
  secret: string,
  ageSeconds: number = 0,
): { body: Buffer; signature: string } {
  const payload = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  return {
    body: Buffer.from(payload),
    signature: Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
  }
}
