import { GatewayError } from '@turnpike/protocol'
import type { Charge, CheckoutSession, PaymentProcessor, SessionState } from './payment-processor.ts'
import type { SavedMethod } from '../auto-topups/payment-method.ts'
import type { Topup } from './topup.ts'

/** As long as Stripe's. */
const sessionMs = 24 * 60 * 60 * 1000

export interface SandboxOptions {
  /** The gateway's public address, without a trailing slash. */
  publicUrl: () => string
  /** Unix epoch milliseconds. */
  clock: () => number
}

/**
 * A checkout without a processor: a page of ours that takes no money. Its sessions exist only in our own
 * store, so their state follows from the top-up and the time.
 */
export function sandboxProcessor({ publicUrl, clock }: SandboxOptions): PaymentProcessor {
  const now = (topup: Topup): CheckoutSession => {
    const expiresAtMs = topup.checkout?.expiresAtMs ?? topup.createdAtMs + sessionMs
    const state = topup.paidPico > 0n ? 'paid' : clock() >= expiresAtMs ? 'expired' : 'open'
    const url = topup.checkout?.url ?? `${publicUrl()}${sandboxPath}/${topup.id}`
    return { ...sandboxSession(topup, state), url, expiresAtMs }
  }
  return {
    name: 'sandbox',
    open: async (topup) => now(topup),
    sessionOf: async (topup) => now(topup),
    sessionOfPayment: async () => undefined,
    close: async (topup) => sandboxSession(topup, 'expired'),
    savedBy: async (topup) => findSavedCard(topup),
    charge: async (topup, { methodId }) => chargeTo(cardOf(methodId), topup),
    // The others are charged again, which credits them only once, because it is the same top-up.
    findCharge: async (topup, { methodId }) =>
      cardOf(methodId) === 'lost_answer' ? sandboxCharge(topup, 'succeeded', null) : undefined,
    chargeOf: async () => undefined,
    cancelCharge: async (charge) => ({ ...charge, state: 'canceled' }),
    abandonCharge: async () => undefined,
    forget: async () => undefined,
    findRefunded: async () => 0n,
    listReversals: async () => ({ events: [], asOfMs: clock(), isWhole: true }),
  }
}

/** Paths of the checkout page, and of the page that customers return to from any checkout. */
export const sandboxPath = '/sandbox-checkout'
export const checkoutResultPath = '/checkout'

/**
 * A decision on the checkout page, reported like a session of Stripe.
 * @param card saved with the payment
 */
export function sandboxSession(topup: Topup, state: SessionState, card?: SandboxCard): CheckoutSession {
  return {
    id: sandboxSessionId(topup),
    topupId: topup.id,
    state,
    url: null,
    expiresAtMs: topup.checkout?.expiresAtMs ?? 0,
    amountPico: topup.amountPico,
    taxPico: 0n,
    currency: 'usd',
    paymentId: state === 'paid' ? `sandbox_${topup.id}${card === undefined ? '' : `:${card}`}` : null,
  }
}

/** Cards that can be saved at the sandbox checkout, by the result of later charges. */
export const sandboxCards = ['accepted', 'declined', 'authentication_required', 'lost_answer'] as const
export type SandboxCard = (typeof sandboxCards)[number]

function findSavedCard({ id, paymentId }: Topup): SavedMethod | undefined {
  const card = sandboxCards.find((one) => paymentId === `sandbox_${id}:${one}`)
  if (card === undefined) return undefined
  const methodId = `${card}:${id}`
  return { methodId, customerId: 'sandbox', kind: 'card', brand: card, last4: '4242', expiresMonth: null }
}

function cardOf(methodId: string): SandboxCard {
  return sandboxCards.find((card) => methodId.startsWith(`${card}:`)) ?? 'declined'
}

function chargeTo(card: SandboxCard, topup: Topup): Charge {
  switch (card) {
    case 'accepted':
      return sandboxCharge(topup, 'succeeded', null)
    case 'declined':
      return sandboxCharge(topup, 'declined', 'card_declined')
    case 'authentication_required':
      return sandboxCharge(topup, 'needs-action', card)
    case 'lost_answer':
      throw new GatewayError(
        'service_unavailable',
        'The sandbox lost its answer, as this test card asks for.',
      )
  }
}

function sandboxCharge(topup: Topup, state: Charge['state'], reason: string | null): Charge {
  const { id, amountPico } = topup
  return {
    paymentId: `sandbox_${id}`,
    invoiceId: null,
    topupId: id,
    state,
    amountPico,
    taxPico: 0n,
    currency: 'usd',
    reason,
  }
}

function sandboxSessionId(topup: Topup): string {
  return `sandbox_${topup.id}`
}
