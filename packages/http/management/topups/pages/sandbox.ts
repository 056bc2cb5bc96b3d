import {
  checkoutResultPath,
  formatUsd,
  sandboxCards,
  sandboxPath,
  sandboxSession,
  topupStatusOf,
  type SandboxCard,
  type Topup,
  type Topups,
} from '@turnpike/billing'
import { html, type Html } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ManagementApp } from '../../management-app.ts'
import { existingTopup } from '../routes.ts'
import { checkFormToken, formToken } from './form-token.ts'
import { sendPage } from './frame.ts'
import { resultOf, sessionParams } from './result.ts'

const maxFormBytes = 4 * 1024

/** The checkout that takes no money. Its outcome is booked in the same way as Stripe's events. */
export function registerSandboxCheckout(app: ManagementApp, topups: Topups, clock: () => number): void {
  const path = `${sandboxPath}/:session_id`
  const schema = { params: sessionParams }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    async (_: unknown, body: string) => new URLSearchParams(body),
  )

  app.get(path, { schema }, async (request, reply) => {
    const topup = await current(topups, request.params.session_id, clock())
    return showCheckout(request, reply, topup)
  })

  app.post(path, { schema }, async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    checkFormToken(request, form.get('token'))
    const topup = await current(topups, request.params.session_id, clock())
    if (topupStatusOf(topup) !== 'open') return showCheckout(request, reply, topup)
    switch (form.get('decision')) {
      case 'pay':
        await topups.settle({ about: 'session', session: sandboxSession(topup, 'paid', cardOf(topup, form)) })
        return reply.redirect(`${checkoutResultPath}/${topup.id}`, 303)
      case 'decline':
        return showCheckout(request, reply, topup, 'The card was declined. Nothing was paid. Try again.')
      case 'expire':
        await topups.settle({ about: 'session', session: sandboxSession(topup, 'expired') })
        return reply.redirect(`${checkoutResultPath}/${topup.id}`, 303)
      default:
        throw invalidRequest('decision', '`decision`: expected "pay", "decline" or "expire".')
    }
  })
}

/** The card to save with the payment, if the top-up asks for it. */
function cardOf(topup: Topup, form: URLSearchParams): SandboxCard | undefined {
  if (!topup.savesMethod) return undefined
  const cardName = form.get('card')
  const card = cardName === null ? 'accepted' : sandboxCards.find((one) => one === cardName)
  if (card === undefined)
    throw invalidRequest('card', `\`card\`: expected one of ${sandboxCards.join(', ')}.`)
  return card
}

const cardWords: Record<SandboxCard, string> = {
  accepted: 'is accepted',
  declined: 'is declined',
  authentication_required: 'must be confirmed',
  lost_answer: 'is accepted, but the response is lost',
}

function cardChoice(topup: Topup): Html | undefined {
  if (!topup.savesMethod) return undefined
  const options = sandboxCards.map((card) => html`<option value="${card}">${cardWords[card]}</option>`)
  return html`<label>
    The card is saved for automatic top-ups. A later charge to it
    <select name="card">
      ${options}
    </select>
  </label>`
}

/** The top-up in its current state: it may have expired since it was last read. */
async function current(topups: Topups, id: string, nowMs: number): Promise<Topup> {
  const topup = sandboxTopup(await topups.findAnyones(id))
  if (topupStatusOf(topup) !== 'open' || topup.checkout!.expiresAtMs > nowMs) return topup
  await topups.settle({ about: 'session', session: sandboxSession(topup, 'expired') })
  return sandboxTopup(await topups.findAnyones(id))
}

/** A top-up that was opened at Stripe can only be paid there. */
function sandboxTopup(topup: Topup | undefined): Topup {
  return existingTopup(topup?.processor === 'sandbox' ? topup : undefined)
}

function showCheckout(
  request: FastifyRequest,
  reply: FastifyReply,
  topup: Topup,
  problem?: string,
): FastifyReply {
  if (topupStatusOf(topup) !== 'open') {
    const { title, body } = resultOf(topup)
    return sendPage(reply, 200, title, body)
  }
  const path = `${sandboxPath}/${topup.id}`
  const alert = problem === undefined ? undefined : html`<p class="alert" role="alert">${problem}</p>`
  const body: Html = html`<p class="notice">
      <strong>Sandbox. This is not real money.</strong> You do not need a card and nothing is charged, because
      this gateway has no payment processor.
    </p>
    <p class="amount">${formatUsd(topup.amountPico)} USD</p>
    ${alert}
    <form method="post" action="${path}">
      <input type="hidden" name="token" value="${formToken(request, reply, sandboxPath)}" />
      ${cardChoice(topup)}
      <button name="decision" value="pay">Pay ${formatUsd(topup.amountPico)} USD of play money</button>
      <button class="quiet" name="decision" value="decline">Pay with a card that is declined</button>
      <button class="quiet" name="decision" value="expire">Let this checkout expire</button>
    </form>
    <p><a href="${checkoutResultPath}/${topup.id}">Back without paying</a></p>
    <p class="identifier">${topup.id}</p>`
  return sendPage(reply, 200, 'Sandbox checkout', body)
}
