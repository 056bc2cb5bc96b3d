import { html } from '@turnpike/identity'
import { gatewayErrorOf } from '../../errors.ts'
import type { ManagementApp } from '../../management-app.ts'
import type { ManagementServices } from '../../services.ts'
import type { TopupServices } from '../services.ts'
import { registerPayPage } from '../pay-links.ts'
import { sendPage } from './frame.ts'
import { registerCheckoutResult } from './result.ts'
import { registerSandboxCheckout } from './sandbox.ts'

/** The pages about a top-up. Their addresses contain the session, which nobody can guess. */
export function registerCheckoutPages(
  app: ManagementApp,
  { topups, servesSandboxCheckout, payLinks }: TopupServices,
  services: Pick<
    ManagementServices,
    'logger' | 'clock' | 'accounts' | 'apiKeys' | 'callerAddress' | 'flushUsage'
  >,
): void {
  const { logger, clock } = services
  app.setErrorHandler((thrown, request, reply) => {
    const { status, message, detail } = gatewayErrorOf(thrown)
    if (status >= 500) logger.error({ requestId: request.id, status, detail }, message)
    return sendPage(
      reply,
      status,
      status === 404 ? 'Not found' : 'Something went wrong',
      html`<p>${message}</p>`,
    )
  })
  registerCheckoutResult(app, topups)
  if (payLinks !== undefined) registerPayPage(app, payLinks, services)
  if (servesSandboxCheckout) registerSandboxCheckout(app, topups, clock)
}
