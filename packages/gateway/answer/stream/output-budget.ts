import { worstCase, type HoldRefusal } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import type { Gateway } from '../../context/gateway.ts'
import type { Attempt } from '../../context/stages.ts'
import { countOutput } from '../../metering/complete-usage.ts'
import { creditExhausted, creditUnknown } from '../../metering/credit-errors.ts'
import { mostTokens, tokensOfReading } from '../../metering/most-tokens.ts'
import { mostTokensWithin } from '../../metering/output-bound.ts'
import { withMetadata } from '../../metering/refusal-metadata.ts'
import { findRequestedServices } from '../../metering/requested-services.ts'
import type { OutputText } from './output-text.ts'

/** How far a hold grows at least, so that a long answer does not ask for credit with every word. */
const leastStepTokens = 1_024
/** No text is so long in bytes for each of its tokens. */
const mostBytesPerToken = 16
/** While a hold takes less than one in so many of the free credit, it grows without a count. */
const shareOfCredit = 10n

/**
 * Keeps what a stream gives out within its hold: text that the hold may not cover waits until it has grown.
 * A token is at least a byte of text, so so many bytes are never more tokens than they are counted for. Where
 * credit is short a tokenizer counts, before the hold grows and before anything is refused.
 */
export class OutputBudget {
  readonly #attempt: Attempt
  readonly #gateway: Gateway
  /** What a tokenizer has counted, and how many it could have been at most. */
  #countedTokens = 0
  #countedOf = 0
  /** What last kept the hold from growing. */
  #refused: HoldRefusal | undefined
  /** Nothing more may go out until the hold has grown. */
  isWaiting = false

  constructor(attempt: Attempt, gateway: Gateway) {
    this.#attempt = attempt
    this.#gateway = gateway
  }

  /** Whether all of it may go out now; the hold grows for it where the key has credit in plenty. */
  admits(output: OutputText): boolean {
    const most = output.mostTokens - this.#countedOf + this.#countedTokens
    return most <= this.#attempt.heldOutputTokens || this.#growFreely(most)
  }

  /** The vendor says more than any bound that is held for could give; nobody gets it any more. */
  isFarExceeded({ mostTokens }: OutputText): boolean {
    return mostTokens > this.#attempt.heldOutputTokens * mostBytesPerToken
  }

  /** False where it must be counted first. */
  #growFreely(most: number): boolean {
    const { request, heldOutputTokens } = this.#attempt
    if (most > tokensOfReading(this.#attempt)) return false
    const { hold } = request
    const { leases } = this.#gateway
    const tokens = most - heldOutputTokens + this.#step()
    const morePico = this.#costOf(tokens)
    const isFree = (hold.amountPico + morePico) * shareOfCredit <= leases.freeBeside(hold, this.#model)
    if (morePico > 0n && !(isFree && leases.tryExtend(hold, morePico, this.#model))) return false
    this.#hasGrown(tokens)
    return true
  }

  /**
   * Asks for credit for what is not admitted; never rejects. With an error where it cannot be had, or where
   * no answer can be so long, however much credit there is.
   */
  async waitFor(output: OutputText): Promise<GatewayError | undefined> {
    this.isWaiting = true
    try {
      await this.#count(output)
      if (this.#countedTokens > mostTokens(this.#attempt)) return endlessAnswer()
      return (await this.#grow()) ? undefined : this.#creditError()
    } catch (error) {
      this.#gateway.log.warn({ error: String(error) }, 'the hold could not be extended')
      return creditUnknown()
    } finally {
      this.isWaiting = false
    }
  }

  async #count(output: OutputText): Promise<void> {
    const { mostTokens: countedOf } = output
    this.#countedTokens = await countOutput(output.snapshot(), this.#gateway.tokens)
    this.#countedOf = countedOf
  }

  /**
   * Grows the hold by what is missing and a step, or by what the credit has of it; false where it has less
   * than is missing. Rejects where the database cannot be asked.
   */
  async #grow(): Promise<boolean> {
    const missing = this.#countedTokens - this.#attempt.heldOutputTokens
    if (missing <= 0) return true
    const wanted = missing + this.#step()
    if (await this.#extend(wanted)) return true
    const freePico = this.#gateway.leases.freeBeside(this.#attempt.request.hold, this.#model)
    const bounds = { least: missing, most: wanted }
    return this.#extend(mostTokensWithin(freePico, bounds, (tokens) => this.#costOf(tokens)))
  }

  async #extend(tokens: number): Promise<boolean> {
    const { hold } = this.#attempt.request
    const refused = await this.#gateway.leases.extend(hold, this.#costOf(tokens), this.#model)
    this.#refused = refused === 'ended' ? undefined : refused
    if (refused !== undefined) return false
    this.#hasGrown(tokens)
    return true
  }

  /** Told as a refusal before the stream is: what the answer needs to go on by a word, and what there is. */
  #creditError(): GatewayError {
    const refused = this.#refused
    const error = creditExhausted(refused)
    if (refused === undefined) return error
    const { key, hold } = this.#attempt.request
    const missing = this.#countedTokens - this.#attempt.heldOutputTokens
    const neededPico = hold.amountPico + this.#costOf(missing)
    return withMetadata(error, refused, neededPico, { key, payLinks: this.#gateway.payLinks })
  }

  #hasGrown(tokens: number): void {
    this.#attempt.heldOutputTokens += tokens
    const { record, hold } = this.#attempt.request
    record.holdPico = hold.amountPico
  }

  get #model(): string {
    return this.#attempt.candidate.model.id
  }

  #step(): number {
    return Math.max(leastStepTokens, Math.ceil(this.#attempt.heldOutputTokens / 2))
  }

  /** What so many tokens cost on top of those that are held. */
  #costOf(tokens: number): bigint {
    const { request, candidate, heldOutputTokens: held } = this.#attempt
    const { heldInputTokens, furtherInput } = request
    const { prices, provider, model } = candidate
    const services = findRequestedServices(request, { provider, model, heldInputTokens })
    const worst = (output: number): bigint =>
      worstCase(prices, heldInputTokens, output, furtherInput, services)
    return worst(held + tokens) - worst(held)
  }
}

function endlessAnswer(): GatewayError {
  return new GatewayError('upstream_error', 'The upstream sent more output than this model can produce.')
}
