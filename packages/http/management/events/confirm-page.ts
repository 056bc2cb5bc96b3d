import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { html } from '@turnpike/identity'
import { Type } from 'typebox'
import { gatewayErrorOf } from '../errors.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { sendPage } from '../topups/pages/frame.ts'
import { confirmPath, confirmWithinMs, hashOf } from './new-target.ts'

const maxFormBytes = 4 * 1024
const params = Type.Object({ code: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) })

/**
 * The page that a mail of confirmation leads to. Programs that look at mail open its links: it takes a
 * person, who presses the button. Who has the code has the mail, so that no token is asked for.
 */
export async function registerConfirmPage(
  app: ManagementApp,
  { eventTargets, clock, logger }: Pick<ManagementServices, 'eventTargets' | 'clock' | 'logger'>,
): Promise<void> {
  await app.register(async (plain) => {
    const pages = plain.withTypeProvider<TypeBoxTypeProvider>()
    pages.setErrorHandler((thrown, request, reply) => {
      const { status, message, detail } = gatewayErrorOf(thrown)
      if (status >= 500) logger.error({ requestId: request.id, status, detail }, message)
      return sendPage(reply, status, 'This did not work', html`<p>${message}</p>`)
    })
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      async () => undefined,
    )

    pages.get(`${confirmPath}/:code`, { schema: { params } }, async (request, reply) =>
      sendPage(
        reply,
        200,
        'Alerts by mail',
        html`<p>Somebody asked this gateway to send alerts about their account to this address.</p>
          <form method="post" action="${confirmPath}/${request.params.code}">
            <button>Send them to me</button>
          </form>
          <p>If you know nothing of it, close this page: nothing will be sent.</p>`,
      ),
    )

    pages.post(`${confirmPath}/:code`, { schema: { params } }, async (request, reply) => {
      const nowMs = clock()
      const hash = hashOf(request.params.code)
      const target = await eventTargets.confirm(hash, nowMs - confirmWithinMs, nowMs)
      if (target === undefined)
        return sendPage(
          reply,
          404,
          'Nothing to confirm',
          html`<p>This link was used already, or is older than a week. Ask for another one.</p>`,
        )
      return sendPage(
        reply,
        200,
        'Confirmed',
        html`<p>Alerts of "${target.name}" will be sent to ${target.email ?? ''}.</p>`,
      )
    })
  })
}
