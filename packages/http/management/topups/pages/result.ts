import { checkoutResultPath, formatUsd, topupStatusOf, type Topup, type Topups } from '@turnpike/billing'
import { html, type Html } from '@turnpike/identity'
import { Type } from 'typebox'
import type { ManagementApp } from '../../management-app.ts'
import { identifierOf } from '../../validation/fields.ts'
import { existingTopup } from '../routes.ts'
import { sendPage } from './frame.ts'

export const sessionParams = Type.Object({ session_id: identifierOf('top') })

/** The page to which people return from the checkout, whether they paid or not. */
export function registerCheckoutResult(app: ManagementApp, topups: Topups): void {
  app.get(
    `${checkoutResultPath}/:session_id`,
    { schema: { params: sessionParams } },
    async (request, reply) => {
      const { session_id: id } = request.params
      const topup = await topups.upToDate(existingTopup(await topups.findAnyones(id)))
      const { title, body } = resultOf(topup)
      return sendPage(reply, 200, title, body)
    },
  )
}

export function resultOf(topup: Topup): { title: string; body: Html } {
  const { title, pico, explanation } = words(topup)
  const note =
    topup.processor === 'sandbox' && html`<p class="notice">This is a sandbox: no real money moves.</p>`
  const body = html`${note || undefined}
    <p class="amount">${formatUsd(pico)} USD</p>
    ${explanation}
    <p class="identifier">${topup.id}</p>`
  return { title, body }
}

function words(topup: Topup): { title: string; pico: bigint; explanation: Html } {
  switch (topupStatusOf(topup)) {
    case 'paid':
      return {
        title: 'Payment received',
        pico: topup.paidPico,
        explanation: html`<p>The credit has been added to the account. You can close this page.</p>`,
      }
    case 'refunded':
      return {
        title: 'This payment was reversed',
        pico: topup.paidPico,
        explanation: html`<p>It was refunded or is disputed, so its credit was taken back.</p>`,
      }
    case 'expired':
      return {
        title: 'This checkout has expired',
        pico: topup.amountPico,
        explanation: html`<p>Nothing was paid. To buy credit, go back and start a new checkout.</p>`,
      }
    case 'open':
      return {
        title: 'Not paid yet',
        pico: topup.amountPico,
        explanation: html`<p>
            No payment has arrived yet. Some payments take a while. You can close this page.
          </p>
          <p><a href="${topup.checkout?.url ?? ''}">Go to the checkout</a></p>
          <p><a href="">Refresh</a></p>`,
      }
  }
}
