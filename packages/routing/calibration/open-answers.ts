import type { Tier } from '../tier.ts'
import type { Calibrator } from './calibrator.ts'

/** An answer of which it is not known yet whether it sufficed. */
export interface OpenAnswer {
  requestId: string
  accountId: string
  conversation: string
  /** The tier as whose model it was given. */
  tier: Tier
  /** The uncorrected probability that the tier had. */
  predicted: number
  /** User asks of the conversation when it was given. */
  asks: number
  /** Unix epoch milliseconds. */
  answeredAtMs: number
}

/** What a request says of answers before it. */
export interface FollowUp {
  accountId: string
  conversation: string
  /** The request that it sends back; undefined: none. */
  retryOf: string | undefined
  /** The conversation goes in circles. */
  stalled: boolean
  asks: number
  nowMs: number
}

/** Who sends answers back does so within this time: then silence means that an answer sufficed. */
const silenceMs = 15 * 60_000

/** Silent answers that one request looks through at most: it must not pay for all that came before it. */
const closedAtOnce = 50

/**
 * Answers whose outcome is open, the oldest first, and what becomes of them: an outcome for the calibrator,
 * each answer one at the most. Bounded: the oldest is given up without an outcome.
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
    // Of the answers within one turn the last one stands for all: they are about the same ask.
    const before = this.#byConversation.get(answer.conversation)
    if (before !== undefined) this.#drop(before)
    this.#byRequest.set(answer.requestId, answer)
    this.#byConversation.set(answer.conversation, answer)
    if (this.#byRequest.size > this.#limit) this.#drop(this.#byRequest.values().next().value!)
  }

  /** A request has come: closes the answers that it says something of. */
  recordFollowUp({ accountId, conversation, retryOf, stalled, asks, nowMs }: FollowUp): void {
    this.#closeSilent(nowMs)
    if (retryOf !== undefined) {
      const sentBack = this.#byRequest.get(retryOf)
      // Another account's request, an unknown one, or one that was sent back before says nothing.
      if (sentBack?.accountId !== accountId) return
      this.#calibrator.noteReport(accountId)
      return this.#close(sentBack, false)
    }
    const before = this.#byConversation.get(conversation)
    if (before === undefined) return
    if (stalled) this.#close(before, false)
    // The same ask once more may be a tool's answer, or the user's "again": neither says that it sufficed.
    else if (asks > before.asks) this.#close(before, true)
  }

  /** Answers that were not sent back in time, by those who do send answers back. */
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
