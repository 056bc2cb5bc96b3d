import type { Tier } from '../tier.ts'
import type { Calibrator } from './calibrator.ts'

/** An answer that may yet prove insufficient. */
export interface OpenAnswer {
  requestId: string
  accountId: string
  conversation: string
  /** The tier that the answering model was chosen for. */
  tier: Tier
  /** The tier's predicted probability of success, uncorrected. */
  predicted: number
  /** How many messages the user had sent when it was given. */
  asks: number
  /** Unix epoch milliseconds. */
  answeredAtMs: number
}

/** What a request reveals about earlier answers. */
export interface FollowUp {
  accountId: string
  conversation: string
  /** The request whose answer it sends back; undefined: none. */
  retryOf: string | undefined
  /** The conversation goes round in circles. */
  stalled: boolean
  asks: number
  nowMs: number
}

/**
 * Accounts that send answers back do so within this time; after it, silence means that an answer sufficed.
 */
const silenceMs = 15 * 60_000

/** How many silent answers one request closes at most, so that it does not pay for all earlier ones. */
const closedAtOnce = 50

/**
 * Answers with an open outcome, the oldest first. Reports one outcome per answer to the calibrator. Bounded:
 * the oldest is dropped without an outcome.
 */
export class OpenAnswers {
  readonly #calibrator: Calibrator
  readonly #limit: number
  readonly #byRequest = new Map<string, OpenAnswer>()
  readonly #byConversation = new Map<string, OpenAnswer>()

  constructor(calibrator: Calibrator, limit = 20_000) {
    this.#calibrator = calibrator
    this.#limit = limit
  }

  get size(): number {
    return this.#byRequest.size
  }

  open(answer: OpenAnswer): void {
    // All answers within one turn concern the same user message, so the last one counts for all.
    const before = this.#byConversation.get(answer.conversation)
    if (before !== undefined) this.#drop(before)
    this.#byRequest.set(answer.requestId, answer)
    this.#byConversation.set(answer.conversation, answer)
    if (this.#byRequest.size > this.#limit) this.#drop(this.#byRequest.values().next().value!)
  }

  /** Closes the earlier answers that a new request reveals something about. */
  recordFollowUp({ accountId, conversation, retryOf, stalled, asks, nowMs }: FollowUp): void {
    this.#closeSilent(nowMs)
    if (retryOf !== undefined) {
      const sentBack = this.#byRequest.get(retryOf)
      // Another account's request, an unknown one, or one that was already sent back reveals nothing.
      if (sentBack?.accountId !== accountId) return
      this.#calibrator.noteReport(accountId)
      return this.#close(sentBack, false)
    }
    const before = this.#byConversation.get(conversation)
    if (before === undefined) return
    if (stalled) this.#close(before, false)
    // Otherwise it may be a tool result, or the user's "again": neither means that it sufficed.
    else if (asks > before.asks) this.#close(before, true)
  }

  /** Closes answers that were not sent back in time, for accounts that do send answers back. */
  #closeSilent(nowMs: number): void {
    let looked = 0
    for (const answer of this.#byRequest.values()) {
      if (nowMs - answer.answeredAtMs < silenceMs || ++looked > closedAtOnce) return
      if (this.#calibrator.reports(answer.accountId)) this.#close(answer, true)
      else this.#drop(answer)
    }
  }

  #close(answer: OpenAnswer, sufficed: boolean): void {
    this.#drop(answer)
    this.#calibrator.note(answer.accountId, answer.tier, answer.predicted, sufficed)
  }

  #drop(answer: OpenAnswer): void {
    this.#byRequest.delete(answer.requestId)
    if (this.#byConversation.get(answer.conversation) === answer)
      this.#byConversation.delete(answer.conversation)
  }
}
