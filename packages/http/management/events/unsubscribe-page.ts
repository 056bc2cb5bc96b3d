import { html } from '@turnpike/identity'
import { unsubscribePath, type Subscription } from '@turnpike/notify'
import type { FastifyReply } from 'fastify'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { sendPage } from '../topups/pages/frame.ts'
import { mailCode } from './new-target.ts'

/** Unsubscribes, by the page's button or by a mail program's, which posts here too (RFC 8058). */
export function registerUnsubscribePage(
  pages: ManagementApp,
  { eventTargets, clock }: Pick<ManagementServices, 'eventTargets' | 'clock'>,
): void {
  const path = `${unsubscribePath}/:code`
  const schema = { params: mailCode }

  pages.get(path, { schema }, async (request, reply) => {
    const { code } = request.params
    return sendState(reply, code, await eventTargets.findByUnsubscribeCode(code))
  })

  pages.post(path, { schema }, async (request, reply) => {
    const { code } = request.params
    return sendState(reply, code, await eventTargets.subscribe(code, false, clock()))
  })

  pages.post(`${path}/undo`, { schema }, async (request, reply) => {
    const { code } = request.params
    return sendState(reply, code, await eventTargets.subscribe(code, true, clock()))
  })
}

function sendState(reply: FastifyReply, code: string, found: Subscription | undefined): FastifyReply {
  if (found === undefined)
    return sendPage(
      reply,
      404,
      'Nothing to unsubscribe from',
      html`<p>This recipient was deleted. Nothing is sent here any more.</p>`,
    )
  const { name, isSubscribed } = found
  if (isSubscribed)
    return sendPage(
      reply,
      200,
      'Alerts by email',
      html`<p>You receive alerts from "${name}" by email.</p>
        <form method="post" action="${unsubscribePath}/${code}"><button>Unsubscribe</button></form>`,
    )
  return sendPage(
    reply,
    200,
    'You have unsubscribed',
    html`<p>You will no longer receive alerts from "${name}".</p>
      <form method="post" action="${unsubscribePath}/${code}/undo">
        <button>Subscribe again</button>
      </form>`,
  )
}
