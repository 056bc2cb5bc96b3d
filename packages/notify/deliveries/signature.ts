import { createHmac, randomBytes } from 'node:crypto'

/* Implements Standard Webhooks 1.0.0: https://github.com/standard-webhooks/standard-webhooks. */

const secretPrefix = 'whsec_'
const secretBytes = 32

/** `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`
}

export interface Signed {
  /** The event's identifier, the same in all attempts. */
  id: string
  /** Unix epoch seconds of this attempt. */
  timestamp: number
  body: string
}

/**
 * The headers by which a receiver verifies a delivery.
 * @param secrets the current one and, while it is still valid, the one before it: one signature each
 */
export function signatureHeaders(signed: Signed, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(signed, secret)}`).join(' '),
  }
}

function signatureOf({ id, timestamp, body }: Signed, secret: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}
