import type { CheckoutSession, PaymentProcessor, SessionState } from './payment-processor.ts'
import type { Topup } from './topup.ts'

/** As long as Stripe's. */
const sessionMs = 24 * 60 * 60 * 1000

export interface SandboxOptions {
  /** Where callers reach the gateway, without a slash at the end. */
  publicUrl: () => string
  /** Unix epoch milliseconds. */
  clock: () => number
}

/**
 * Checkout without a processor: a page of ours on which no money is taken. Its sessions are nowhere but in
 * our own store, so what it tells of one follows from the top-up and the time.
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
    refundedOf: async () => 0n,
    movedBackSince: async () => ({ events: [], asOfMs: clock(), isWhole: true }),
  }
}

/** Below these paths are the checkout page, and the one that people come back to from any checkout. */
export const sandboxPath = '/sandbox-checkout'
export const checkoutResultPath = '/checkout'

/** What the checkout page decided, told as Stripe would. */
export function sandboxSession(topup: Topup, state: SessionState): CheckoutSession {
  return {
    id: sandboxSessionId(topup),
    topupId: topup.id,
    state,
    url: null,
    expiresAtMs: topup.checkout?.expiresAtMs ?? 0,
    amountPico: topup.amountPico,
    currency: 'usd',
    paymentId: state === 'paid' ? `sandbox_${topup.id}` : null,
  }
}

function sandboxSessionId(topup: Topup): string {
  return `sandbox_${topup.id}`
}
