import { GatewayError } from '@turnpike/protocol'
import { BatchWriter } from '../services/batch-writer.ts'
import type { GatewayLog } from '../services/log.ts'
import type { KeyRing } from './key-ring.ts'
import { sealAnswer, type KeptAnswer } from './packing.ts'
import type { AnswerOwner, KeptAnswerStore, SealedAnswer } from './store.ts'

/** How many bytes may wait for the database, whatever the reason. */
const mostWaitingBytes = 64 * 1024 * 1024

export interface WriterOptions {
  store: KeptAnswerStore
  keys: KeyRing
  storeMs: number
  maxAccountBytes: number
  log: GatewayLog
}

/** Counts of answers that were not kept, by reason. */
export interface KeptTally {
  kept: number
  /** Larger than an answer may be. */
  tooLarge: number
  /** Too many were waiting for the database. */
  noRoom: number
  /** The database rejected them, or the process ended first. */
  failed: number
  /** Older answers that made room for new ones of their account. */
  evicted: number
}

interface Waiting {
  kept: KeptAnswer
  bytes: number
  /** The write was attempted, so it may be unknown whether the database has it. */
  isTried: boolean
  /** Its caller has deleted it. */
  isDropped: boolean
}

/** Writes answers to the database in batches, after their requests. Until then, answers are found here. */
export class AnswerWriter {
  readonly #options: WriterOptions
  readonly #batches: BatchWriter<Waiting>
  readonly tally: KeptTally = { kept: 0, tooLarge: 0, noRoom: 0, failed: 0, evicted: 0 }

  constructor(options: WriterOptions) {
    this.#options = options
    this.#batches = new BatchWriter({
      write: (batch) => this.#write(batch),
      onAway: (error, answers, retryMs) =>
        options.log.warn(
          { error: String(error), answers, retryMs },
          'stored answers could not be written to the database',
        ),
      onRefused: ({ kept }, error) => {
        this.tally.failed++
        const fields = { answer: kept.id, error: String(error) }
        options.log.error(fields, 'an answer is not stored: the database rejected it')
      },
    })
  }

  /** Bytes that wait for the database. */
  get bytes(): number {
    return this.#batches.bytes
  }

  /** Returns false if there is no room for it; it is then not kept. */
  add(kept: KeptAnswer): boolean {
    const bytes = kept.answer.length + kept.input.length
    if (this.#batches.isClosed || this.#batches.bytes + bytes > mostWaitingBytes) {
      this.tally.noRoom++
      this.#options.log.warn(
        { answer: kept.id },
        'an answer is not stored: too many are waiting for the database',
      )
      return false
    }
    this.#batches.add(kept.id, { kept, bytes, isTried: false, isDropped: false })
    return true
  }

  find(owner: AnswerOwner, id: string): KeptAnswer | undefined {
    const waiting = this.#waitingOf(owner, id)
    return waiting?.isDropped === true ? undefined : waiting?.kept
  }

  /** The owner's answers that contain some of these items. */
  withItems(owner: AnswerOwner, ids: ReadonlySet<string>, itemIds: ReadonlySet<string>): KeptAnswer[] {
    const found: KeptAnswer[] = []
    for (const { kept, isDropped } of this.#batches.items()) {
      if (isDropped || !isOf(kept, owner)) continue
      if (ids.has(kept.id) || kept.itemIds.some((id) => itemIds.has(id))) found.push(kept)
    }
    return found
  }

  /** Whether its caller has deleted it while the database may still have it for a moment. */
  isDropped(owner: AnswerOwner, id: string): boolean {
    return this.#waitingOf(owner, id)?.isDropped === true
  }

  /**
   * Deletes an answer that waits for the database; undefined if it does not. Resolves once the answer will
   * certainly not be written, or is deleted again: a deleted answer is nowhere, even if the process is killed
   * now.
   * @throws {GatewayError} 503 if the database is unavailable
   */
  drop(owner: AnswerOwner, id: string): Promise<true> | undefined {
    const waiting = this.#waitingOf(owner, id)
    if (waiting === undefined) return undefined
    waiting.isDropped = true
    if (waiting.isTried) return this.#untilGone(waiting)
    this.#batches.forget(id)
    return Promise.resolve(true)
  }

  async #untilGone({ kept }: Waiting): Promise<true> {
    await this.#batches.run()
    if (this.#batches.get(kept.id) !== undefined) throw lookUpError()
    return true
  }

  #waitingOf(owner: AnswerOwner, id: string): Waiting | undefined {
    const waiting = this.#batches.get(id)
    return waiting !== undefined && isOf(waiting.kept, owner) ? waiting : undefined
  }

  /** Resolves once everything is written, or the time is up. What is lost then is counted and logged. */
  async close(): Promise<void> {
    const lost = await this.#batches.close()
    if (lost === 0) return
    this.tally.failed += lost
    this.#options.log.error({ answers: lost }, 'answers are not stored: the database did not accept them')
  }

  /** @throws if the database is unavailable, or rejects one of them */
  async #write(batch: readonly Waiting[]): Promise<void> {
    const { store, keys, storeMs, maxAccountBytes } = this.#options
    const answers: SealedAnswer[] = []
    for (const waiting of batch) waiting.isTried = true
    for (const { kept, isDropped } of batch)
      if (!isDropped) answers.push(await sealAnswer(kept, kept.createdAtMs + storeMs, keys))
    if (answers.length > 0) this.tally.evicted += await store.write(answers, maxAccountBytes)
    this.tally.kept += answers.length
    for (const { kept, isDropped } of batch) {
      if (isDropped) await store.drop(kept, kept.id, Date.now())
      // At once, so that a deletion from here on goes to the database.
      this.#batches.forget(kept.id)
    }
  }
}

function isOf(kept: AnswerOwner, { accountId, memberId, projectId }: AnswerOwner): boolean {
  return kept.accountId === accountId && kept.memberId === memberId && kept.projectId === projectId
}

/** The error while the database is unavailable or slow. */
export function lookUpError(): GatewayError {
  const message = 'Stored responses cannot be read at the moment; please retry.'
  return new GatewayError('service_unavailable', message, { retryAfterSeconds: 1 })
}
