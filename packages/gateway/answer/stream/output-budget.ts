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

/** The least that a hold grows by, so that a long answer does not request credit for every word. */
const leastStepTokens = 1_024
/** No token is longer than this in bytes. */
const mostBytesPerToken = 16
/**
 * While a hold takes less than one part in this many of the free credit, it grows without counting tokens.
 */
const shareOfCredit = 10n

/**
 * Keeps a stream's output within its hold: text that the hold may not cover waits until the hold has grown. A
 * token is at least one byte of text, so the number of bytes is an upper bound on the tokens. If credit is
 * short, a tokenizer counts before the hold grows and before the stream is stopped.
 */
export class OutputBudget {
  readonly #attempt: Attempt
  readonly #gateway: Gateway
  /** What the tokenizer counted last, and the upper bound for the same text. */
  #countedTokens = 0
  #countedOf = 0
  /** Why the hold could last not grow. */
  #refused: HoldRefusal | undefined
  /** Nothing more may go out until the hold has grown. */
  isWaiting = false

  constructor(attempt: Attempt, gateway: Gateway) {
    this.#attempt = attempt
    this.#gateway = gateway
  }

  /** Whether all output may go out now. Grows the hold for it if the key has plenty of credit. */
  admits(output: OutputText): boolean {
    const most = output.mostTokens - this.#countedOf + this.#countedTokens
    return most <= this.#attempt.heldOutputTokens || this.#growFreely(most)
  }

  /** Whether the vendor has sent more than any bound allows. Used after the client has left. */
  isFarExceeded({ mostTokens }: OutputText): boolean {
    return mostTokens > this.#attempt.heldOutputTokens * mostBytesPerToken
  }

  /** Returns false if the tokens must be counted first. */
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
   * Requests credit for output that the hold does not cover. Never rejects. Returns an error if there is no
   * credit, or if no answer of the model can be this long, whatever the credit.
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
   * Grows the hold by the missing tokens plus a step, or by as much of that as the credit covers. Returns
   * false if the credit does not cover the missing tokens. Rejects if the database is unavailable.
   */
  async #grow(): Promise<boolean> {
    const missing = this.#countedTokens - this.#attempt.heldOutputTokens
    if (missing <= 0) return true
    const neededTokens = missing + this.#step()
    if (await this.#extend(neededTokens)) return true
    const freePico = this.#gateway.leases.freeBeside(this.#attempt.request.hold, this.#model)
    const bounds = { least: missing, most: neededTokens }
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

  /** Has the same metadata as an error before a stream: what the answer needs, and the credit left. */
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

  /** What this many tokens cost in addition to the held ones. */
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
