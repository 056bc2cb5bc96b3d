import type { PaymentProcessor } from '../topups/payment-processor.ts'
import type { AutoTopupStore } from './auto-topup-store.ts'

/** Payment methods removed in one run. */
const lookLimit = 20

interface ForgetParts {
  store: Pick<AutoTopupStore, 'claimRemoved' | 'forgotten'>
  processor: Pick<PaymentProcessor, 'name' | 'forget'>
  /** Unix epoch milliseconds. */
  clock: () => number
}

/**
 * Removes payment methods at the processor that were removed here, or whose accounts were closed. Rejects
 * with the first failure. Failed removals are retried later, until they succeed.
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
