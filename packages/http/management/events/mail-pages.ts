import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { html } from '@turnpike/identity'
import { gatewayErrorOf } from '../errors.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { sendPage } from '../topups/pages/frame.ts'
import { registerConfirmPage } from './confirm-page.ts'
import { registerUnsubscribePage } from './unsubscribe-page.ts'

const maxFormBytes = 4 * 1024
/** Mail programs send either (RFC 8058, section 3.1). */
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * The pages that links in mails lead to. Programs that scan mail open its links, so every action needs a
 * person to press a button. Whoever has the code has received the mail, so no token is required.
 */
export async function registerMailPages(
  app: ManagementApp,
  services: Pick<ManagementServices, 'eventTargets' | 'clock' | 'logger'>,
): Promise<void> {
  await app.register(async (plain) => {
    const pages = plain.withTypeProvider<TypeBoxTypeProvider>()
    pages.setErrorHandler((thrown, request, reply) => {
      const { status, message, detail } = gatewayErrorOf(thrown)
      if (status >= 500) services.logger.error({ requestId: request.id, status, detail }, message)
      return sendPage(reply, status, 'Something went wrong', html`<p>${message}</p>`)
    })
    pages.removeAllContentTypeParsers()
    for (const type of formTypes)
      pages.addContentTypeParser<string>(
        type,
        { parseAs: 'string', bodyLimit: maxFormBytes },
        async () => undefined,
      )
    registerConfirmPage(pages, services)
    registerUnsubscribePage(pages, services)
  })
}
