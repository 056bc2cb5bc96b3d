import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { registerStripeWebhook } from '../../webhooks/stripe.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { registerCheckoutPages } from './pages/routes.ts'
import { registerPayPoll } from './pay-links.ts'
import type { TopupServices } from './services.ts'

/** What needs no token: pages for people, and Stripe's webhook. Each reads its own bodies. */
export async function registerOpenTopups(
  app: ManagementApp,
  topups: TopupServices,
  services: Pick<
    ManagementServices,
    'logger' | 'clock' | 'accounts' | 'apiKeys' | 'callerAddress' | 'flushUsage'
  >,
): Promise<void> {
  await app.register(async (pages) => {
    registerCheckoutPages(pages.withTypeProvider<TypeBoxTypeProvider>(), topups, services)
  })
  const { receiveStripeEvent, payLinks } = topups
  if (payLinks !== undefined) {
    await app.register(async (links) => {
      registerPayPoll(links.withTypeProvider<TypeBoxTypeProvider>(), payLinks, services)
    })
  }
  if (receiveStripeEvent === undefined) return
  await app.register(async (webhooks) => {
    registerStripeWebhook(
      webhooks.withTypeProvider<TypeBoxTypeProvider>(),
      '/webhooks/stripe',
      receiveStripeEvent,
    )
  })
}
