import { hashLinkCode, html } from '@turnpike/identity'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { sendPage } from '../topups/pages/frame.ts'
import { confirmPath, confirmWithinMs, mailCode } from './new-target.ts'

/** The page on which the owner of an address confirms that they want alerts. */
export function registerConfirmPage(
  pages: ManagementApp,
  { eventTargets, clock }: Pick<ManagementServices, 'eventTargets' | 'clock'>,
): void {
  pages.get(`${confirmPath}/:code`, { schema: { params: mailCode } }, async (request, reply) =>
    sendPage(
      reply,
      200,
      'Alerts by email',
      html`<p>Somebody asked this gateway to send alerts about their account to this address.</p>
        <form method="post" action="${confirmPath}/${request.params.code}">
          <button>Yes, send them to me</button>
        </form>
        <p>If you were not expecting this, close this page. Nothing will be sent.</p>`,
    ),
  )

  pages.post(`${confirmPath}/:code`, { schema: { params: mailCode } }, async (request, reply) => {
    const nowMs = clock()
    const hash = hashLinkCode(request.params.code)
    const target = await eventTargets.confirm(hash, nowMs - confirmWithinMs, nowMs)
    if (target === undefined)
      return sendPage(
        reply,
        404,
        'Nothing to confirm',
        html`<p>This link was already used or is more than a week old. Request a new one.</p>`,
      )
    return sendPage(
      reply,
      200,
      'Confirmed',
      html`<p>Alerts from "${target.name}" will be sent to ${target.email ?? ''}.</p>`,
    )
  })
}
