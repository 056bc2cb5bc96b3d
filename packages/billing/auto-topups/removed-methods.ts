import type { PaymentProcessor } from '../topups/payment-processor.ts'
import type { AutoTopupStore } from './auto-topup-store.ts'

/** Let go in one look. */
const lookLimit = 20

interface ForgetParts {
  store: Pick<AutoTopupStore, 'claimRemoved' | 'forgotten'>
  processor: Pick<PaymentProcessor, 'name' | 'forget'>
  /** Unix epoch milliseconds. */
  clock: () => number
}

/**
 * Has the processor let go of payment methods that were removed here, or whose accounts were closed. Rejects
 * with the first failure; what it was about is tried again later, until it is done.
 */
export async function forgetRemoved({ store, processor, clock }: ForgetParts): Promise<void> {
  let failure: unknown
  for (const method of await store.claimRemoved(processor.name, lookLimit, clock())) {
    try {
      await processor.forget(method)
      await store.forgotten(method.id)
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
}
