import { worstCase } from '@turnpike/billing'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { countOutput } from '../metering/complete-usage.ts'
import { servicesAsked } from '../metering/services-asked.ts'
import type { OutputText } from './output-text.ts'

/** A byte count turns into tokens at this rate: low, so that the hold is extended early rather than late. */
const bytesPerToken = 3
/** Of a short answer a token or two may be long words. */
const slackTokens = 16

/**
 * How much more a stream may say before its hold must grow. A bound that the caller named is the vendor's to
 * keep, and its tokens are not ours to count exactly: only what is far beyond it outgrows the hold, as where
 * a server does not know `max_completion_tokens`.
 */
export class OutputBudget {
  readonly #request: Held
  readonly #gateway: Gateway
  /** What it may say beyond its hold. */
  readonly #beyondTokens: number
  #limitBytes: number
  #extending = false

  constructor(request: Held, gateway: Gateway) {
    this.#request = request
    this.#gateway = gateway
    const isBounded = request.chat.request.maxOutputTokens !== undefined
    this.#beyondTokens = isBounded ? request.heldOutputTokens + slackTokens : 0
    this.#limitBytes = this.#mostTokens() * bytesPerToken
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
      return (await this.#grow()) || (await this.#isWithin(output))
    } finally {
      this.#extending = false
    }
  }

  async #grow(): Promise<boolean> {
    const { prices, hold, heldInputTokens, heldOutputTokens: before, chat, provider } = this.#request
    const services = servicesAsked(chat.request, provider)
    const mostOf = (tokens: number): bigint => worstCase(prices, heldInputTokens, tokens, [], services)
    const step = Math.max(1_024, Math.ceil(before / 2))
    const morePico = mostOf(before + step) - mostOf(before)
    if (!(await this.#gateway.leases.extend(hold, morePico))) return false
    this.#request.record.holdPico = hold.amountPico
    this.#request.heldOutputTokens = before + step
    this.#limitBytes += step * bytesPerToken
    return true
  }

  /** Whether it has not used up what it may yet; then it may go on so far. */
  async #isWithin(output: OutputText): Promise<boolean> {
    const used = await countOutput(output.seen(), this.#gateway.tokens)
    const most = this.#mostTokens()
    this.#limitBytes = output.bytes + (most - used) * bytesPerToken
    return used < most
  }

  #mostTokens(): number {
    return this.#request.heldOutputTokens + this.#beyondTokens
  }
}
