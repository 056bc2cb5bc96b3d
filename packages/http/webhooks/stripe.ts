import type { ManagementApp } from '../management/management-app.ts'
import type { TopupServices } from '../management/topups/services.ts'

/** Events hold one object of Stripe's, and are a few kilobytes. */
const maxEventBytes = 512 * 1024

/**
 * Stripe's webhook. The body is kept as the bytes that came, since those are what is signed. 200 is said only
 * when what the event tells is committed; whatever else is said, Stripe delivers again.
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
