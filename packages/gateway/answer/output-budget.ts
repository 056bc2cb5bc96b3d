import { worstCase } from '@turnpike/billing'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { countOutput } from '../metering/complete-usage.ts'
import type { OutputText } from './output-text.ts'

/** A byte count turns into tokens at this rate: low, so that the hold is extended early rather than late. */
const bytesPerToken = 3

/**
 * How much more a stream may say before its hold must grow. Only a request that named no bound can outgrow
 * its hold: another one's bound is the vendor's to keep.
 */
export class OutputBudget {
  readonly #request: Held
  readonly #gateway: Gateway
  #limitBytes: number
  #extending = false

  constructor(request: Held, gateway: Gateway) {
    this.#request = request
    this.#gateway = gateway
    const bounded = request.chat.request.maxOutputTokens !== undefined
    this.#limitBytes = bounded ? Number.POSITIVE_INFINITY : request.heldOutputTokens * bytesPerToken
  }

  exceededBy(output: OutputText): boolean {
    return output.bytes > this.#limitBytes && !this.#extending
  }

  /**
   * Grows the hold by as much again as it began with; false where the credit is not there. Bytes only hint at
   * tokens, so before it says no a tokenizer counts what was really used.
   */
  async extend(output: OutputText): Promise<boolean> {
    this.#extending = true
    try {
      const { prices, hold, heldInputTokens, heldOutputTokens: before } = this.#request
      const step = Math.max(1_024, Math.ceil(before / 2))
      const morePico =
        worstCase(prices, heldInputTokens, before + step) - worstCase(prices, heldInputTokens, before)
      if (await this.#gateway.leases.extend(hold, morePico)) {
        this.#request.record.holdPico = hold.amountPico
        this.#request.heldOutputTokens = before + step
        this.#limitBytes += step * bytesPerToken
        return true
      }
      const used = await countOutput(output.seen(), this.#gateway.tokens)
      this.#limitBytes = output.bytes + (before - used) * bytesPerToken
      return used < before
    } finally {
      this.#extending = false
    }
  }
}
