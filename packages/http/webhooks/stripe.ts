import type { ManagementApp } from '../management/management-app.ts'
import type { TopupServices } from '../management/topups/services.ts'

/** An event contains one of Stripe's objects, a few kilobytes. */
const maxEventBytes = 512 * 1024

/**
 * Stripe's webhook. The body is kept as the original bytes, since those are signed. The response is 200 only
 * after the event's effects are committed; after any other response, Stripe delivers the event again.
 */
export function registerStripeWebhook(
  app: ManagementApp,
  path: string,
  receive: NonNullable<TopupServices['receiveStripeEvent']>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
  app.post(path, { bodyLimit: maxEventBytes }, async (request) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const signature = request.headers['stripe-signature']
    await receive(body, typeof signature === 'string' ? signature : undefined)
    return { received: true }
  })
}
