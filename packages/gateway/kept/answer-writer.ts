import { GatewayError } from '@turnpike/protocol'
import type { GatewayLog } from '../services/log.ts'
import type { KeyRing } from './key-ring.ts'
import { sealed, type KeptAnswer } from './packing.ts'
import type { KeptAnswerStore, SealedAnswer } from './store.ts'

/** So many bytes wait for the database at most, whatever keeps it from taking them. */
const mostWaitingBytes = 64 * 1024 * 1024
/** An answer waits so long for others to be written with. */
const writeDelayMs = 20
const mostOfBatch = 32
const mostBatchBytes = 8 * 1024 * 1024
const firstRetryMs = 250
const longestRetryMs = 10_000
/** What a node that stops may take to write what waits. */
const closingMs = 10_000

export interface WriterOptions {
  store: KeptAnswerStore
  keys: KeyRing
  storeMs: number
  maxAccountBytes: number
  log: GatewayLog
}

/** What became of answers that were to be kept. */
export interface KeptTally {
  kept: number
  /** Larger than an answer may be. */
  tooLarge: number
  /** Too many were waiting for the database. */
  noRoom: number
  /** The database took them not, or the process ended before. */
  failed: number
  /** Older ones that went for new ones of their account. */
  evicted: number
}

interface Waiting {
  kept: KeptAnswer
  bytes: number
  /** The database was given it: whether it has it may be unknown. */
  isTried: boolean
  /** Its caller has deleted it. */
  isDropped: boolean
}

/**
 * Answers on their way to the database, behind the requests, a batch at a time. Whoever asks for one
 * meanwhile finds it here.
 */
export class AnswerWriter {
  readonly #options: WriterOptions
  readonly #waiting = new Map<string, Waiting>()
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #retryMs = 0
  #isClosed = false
  readonly tally: KeptTally = { kept: 0, tooLarge: 0, noRoom: 0, failed: 0, evicted: 0 }

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Of what waits. */
  get bytes(): number {
    return this.#bytes
  }

  /** False where there is no room for it: then it is not kept. */
  add(kept: KeptAnswer): boolean {
    const bytes = kept.answer.length + kept.input.length
    if (this.#isClosed || this.#bytes + bytes > mostWaitingBytes) {
      this.tally.noRoom++
      this.#options.log.warn({ answer: kept.id }, 'an answer is not kept: too many wait for the database')
      return false
    }
    this.#waiting.set(kept.id, { kept, bytes, isTried: false, isDropped: false })
    this.#bytes += bytes
    this.#schedule(this.#retryMs || writeDelayMs)
    return true
  }

  find(accountId: string, id: string): KeptAnswer | undefined {
    const waiting = this.#waitingOf(accountId, id)
    return waiting?.isDropped === true ? undefined : waiting?.kept
  }

  /** Those of an account that hold some of these items. */
  withItems(accountId: string, ids: ReadonlySet<string>, itemIds: ReadonlySet<string>): KeptAnswer[] {
    const found: KeptAnswer[] = []
    for (const { kept, isDropped } of this.#waiting.values()) {
      if (isDropped || kept.accountId !== accountId) continue
      if (ids.has(kept.id) || kept.itemIds.some((id) => itemIds.has(id))) found.push(kept)
    }
    return found
  }

  /** Its caller has deleted it, and the database may still have it for a moment. */
  isDropped(accountId: string, id: string): boolean {
    return this.#waitingOf(accountId, id)?.isDropped === true
  }

  /**
   * Deletes one that waits; undefined where it does not. Resolves once it is not written for sure, or deleted
   * again, so that what was said to be deleted is nowhere, even if the process is killed now.
   * @throws {GatewayError} 503 where the database cannot be asked
   */
  drop(accountId: string, id: string): Promise<true> | undefined {
    const waiting = this.#waitingOf(accountId, id)
    if (waiting === undefined) return undefined
    waiting.isDropped = true
    if (waiting.isTried) return this.#untilGone(waiting)
    this.#forget(waiting)
    return Promise.resolve(true)
  }

  async #untilGone(waiting: Waiting): Promise<true> {
    await this.#run()
    if (this.#waiting.has(waiting.kept.id)) throw notLookedUp()
    return true
  }

  #waitingOf(accountId: string, id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    return waiting?.kept.accountId === accountId ? waiting : undefined
  }

  /** Resolves once all is written, or cannot be in time: what is lost then is counted, and said. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const deadlineMs = performance.now() + closingMs
    this.#retryMs = 0
    await this.#run()
    while (this.#waiting.size > 0 && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, firstRetryMs))
      await this.#run()
    }
    const lost = this.#waiting.size
    if (lost === 0) return
    this.tally.failed += lost
    this.#options.log.error({ answers: lost }, 'answers are not kept: the database took them not')
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed || this.#writing !== undefined) return
    this.#timer ??= setTimeout(() => void this.#run(), delayMs).unref()
  }

  /** One run at a time. Never rejects: what the database did not take is tried again. */
  #run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      if (this.#waiting.size > 0) this.#schedule(this.#retryMs || writeDelayMs)
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#nextBatch()
      try {
        await this.#write(batch)
        this.#retryMs = 0
      } catch (error) {
        this.#retryMs = Math.min(Math.max(firstRetryMs, this.#retryMs * 2), longestRetryMs)
        const fields = { error: String(error), answers: this.#waiting.size, retryMs: this.#retryMs }
        this.#options.log.warn(fields, 'the database took no answers that are to be kept')
        return
      }
    }
  }

  #nextBatch(): Waiting[] {
    const batch: Waiting[] = []
    let bytes = 0
    for (const waiting of this.#waiting.values()) {
      if (batch.length > 0 && (batch.length === mostOfBatch || bytes + waiting.bytes > mostBatchBytes)) break
      batch.push(waiting)
      bytes += waiting.bytes
    }
    return batch
  }

  /** @throws where the database is out of reach */
  async #write(batch: readonly Waiting[]): Promise<void> {
    const { store, keys, storeMs, maxAccountBytes } = this.#options
    const answers: SealedAnswer[] = []
    for (const waiting of batch) waiting.isTried = true
    for (const { kept, isDropped } of batch)
      if (!isDropped) answers.push(await sealed(kept, kept.createdAtMs + storeMs, keys))
    try {
      if (answers.length > 0) this.tally.evicted += await store.write(answers, maxAccountBytes)
    } catch (error) {
      if (isAway(error)) throw error
      if (batch.length > 1) for (const one of batch) await this.#write([one])
      else this.#giveUp(batch[0]!, error)
      return
    }
    this.tally.kept += answers.length
    for (const waiting of batch) {
      if (waiting.isDropped) await store.drop(waiting.kept.accountId, waiting.kept.id, Date.now())
      this.#forget(waiting)
    }
  }

  /** One that the database refuses must not keep all others out. */
  #giveUp(waiting: Waiting, error: unknown): void {
    this.#forget(waiting)
    this.tally.failed++
    const fields = { answer: waiting.kept.id, error: String(error) }
    this.#options.log.error(fields, 'an answer is not kept: the database refused it')
  }

  #forget(waiting: Waiting): void {
    if (!this.#waiting.delete(waiting.kept.id)) return
    this.#bytes -= waiting.bytes
  }
}

function isAway(error: unknown): boolean {
  return error instanceof GatewayError && error.type === 'service_unavailable'
}

/** The database is away, or slow. */
export function notLookedUp(): GatewayError {
  const message = 'Kept answers cannot be looked up at the moment; please retry.'
  return new GatewayError('service_unavailable', message, { retryAfterSeconds: 1 })
}
