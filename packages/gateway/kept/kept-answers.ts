import { setTimeout as delay } from 'node:timers/promises'
import type { AnswerKeeper } from '@turnpike/dialects'
import { firstIdentifierAt, GatewayError } from '@turnpike/protocol'
import type { GatewayLog } from '../services/log.ts'
import { Slots } from '../services/slots.ts'
import { AnswerWriter, lookUpError, type KeptTally } from './answer-writer.ts'
import type { FoundItems } from './found-items.ts'
import { KeyRing } from './key-ring.ts'
import { openAnswer, openAnswerBody, type KeptAnswer, type OpenedAnswer } from './packing.ts'
import type { AnswerOwner, FoundAnswer, KeptAnswerStore } from './store.ts'

export type { KeptTally } from './answer-writer.ts'
export type { OpenedAnswer } from './packing.ts'

export interface KeptSettings {
  /** How long each answer is kept. */
  storeMs: number
  /** 32 bytes each; the first one seals, all of them open. */
  encryptionKeys: readonly Buffer[]
  /** The largest answer with its conversation, as JSON. */
  maxAnswerBytes: number
  /** The largest total of an account's answers, sealed. */
  maxAccountBytes: number
  /** Whether other nodes write to the same store. */
  isShared: boolean
}

/** Reserves memory for a request. Kept answers that it loads count against it. */
interface Room {
  /** @throws {GatewayError} 503 if there is none left */
  keepFetched(bytes: number): void
}

const lookUpMs = 5_000
/** No valid identifier is longer. */
const mostIdCharacters = 64
/** How recent an identifier must be for another node to be writing its answer: no answer takes longer. */
const recentMs = 20 * 60_000
const lookAgainMs = [40, 120, 340] as const

/** Answers that callers can read again and continue from. docs/security.md describes how they are stored. */
export class KeptAnswers {
  readonly maxAnswerBytes: number
  readonly #store: KeptAnswerStore
  readonly #keys: KeyRing
  readonly #writer: AnswerWriter
  readonly #log: GatewayLog
  readonly #isShared: boolean
  /** Limits concurrent reads: each may load megabytes, and requests use the same connections. */
  readonly #places = new Slots({
    atOnce: 4,
    ofAccount: 2,
    waiting: 1_000,
    waitingOfAccount: 100,
    refusal: 'Too many stored responses are being read; please retry.',
  })

  constructor(store: KeptAnswerStore, settings: KeptSettings, log: GatewayLog) {
    const { maxAnswerBytes, encryptionKeys, isShared, storeMs, maxAccountBytes } = settings
    this.maxAnswerBytes = maxAnswerBytes
    this.#store = store
    this.#keys = new KeyRing(encryptionKeys)
    this.#writer = new AnswerWriter({ store, keys: this.#keys, storeMs, maxAccountBytes, log })
    this.#log = log
    this.#isShared = isShared
  }

  get tally(): Readonly<KeptTally> {
    return this.#writer.tally
  }

  /** Bytes of answers that are not in the database yet. */
  get waitingBytes(): number {
    return this.#writer.bytes
  }

  /**
   * Returns a keeper for the answer to this input; undefined if it would be too large.
   * @param input JSON of a list; undefined if it is already too large
   */
  keeperOf(owner: AnswerOwner, id: string, input: Buffer | undefined): AnswerKeeper | undefined {
    const { accountId, memberId, projectId } = owner
    if (input !== undefined) return new StoringKeeper(this, { accountId, memberId, projectId, id, input })
    this.noteTooLarge(id)
    return undefined
  }

  noteTooLarge(id: string): void {
    this.#writer.tally.tooLarge++
    const fields = { answer: id, maxAnswerBytes: this.maxAnswerBytes }
    this.#log.warn(fields, 'an answer is not stored: with its conversation it exceeds the size limit')
  }

  add(kept: KeptAnswer): boolean {
    return this.#writer.add(kept)
  }

  /**
   * Finds an answer; undefined if there is none, or it belongs to another owner.
   * @throws {GatewayError} 503 if the store is unavailable, or there is no memory for the answer
   */
  async find(owner: AnswerOwner, id: string, room: Room): Promise<OpenedAnswer | undefined> {
    const waiting = this.#writer.find(owner, id)
    if (waiting !== undefined) {
      room.keepFetched(waiting.answer.length + waiting.input.length)
      return waiting
    }
    if (this.#writer.isDropped(owner, id)) return undefined
    return this.#untilWritten(id, () => this.#load(owner, id, room))
  }

  /**
   * Searches the owner's answers for items. Items that do not exist are left out.
   * @throws {GatewayError} 413; 503 if the store is unavailable, or there is no memory for the answers
   */
  async findItems(owner: AnswerOwner, items: FoundItems, room: Room): Promise<void> {
    const { missing } = items
    const answers = new Set(items.answersOf(missing))
    for (const { answer } of this.#writer.withItems(owner, answers, new Set(missing))) {
      room.keepFetched(answer.length)
      items.take(answer)
    }
    // Vendors' item ids contain no time, so another node may be about to write any of them.
    for (const waitMs of [0, ...(this.#isShared ? lookAgainMs : [])]) {
      if (items.missing.length === 0) return
      if (waitMs > 0) await delay(waitMs)
      await this.#loadItems(owner, items, room)
    }
  }

  /**
   * @returns whether there was one
   * @throws {GatewayError} 503 if the store is unavailable
   */
  async drop(owner: AnswerOwner, id: string): Promise<boolean> {
    const waiting = this.#writer.drop(owner, id)
    if (waiting !== undefined) return inTime(waiting)
    const drop = async (): Promise<true | undefined> =>
      (await inTime(this.#store.drop(owner, id, Date.now()))) || undefined
    return (await this.#untilWritten(id, drop)) === true
  }

  /** Writes everything that waits. */
  close(): Promise<void> {
    return this.#writer.close()
  }

  /** Retries the look-up if another node may be about to write the answer. */
  async #untilWritten<Found>(id: string, look: () => Promise<Found | undefined>): Promise<Found | undefined> {
    if (id.length > mostIdCharacters) return undefined
    const found = await look()
    if (found !== undefined || !this.#isShared || !isRecent(id)) return found
    for (const waitMs of lookAgainMs) {
      await delay(waitMs)
      const written = await look()
      if (written !== undefined) return written
    }
    return undefined
  }

  async #loadItems(owner: AnswerOwner, items: FoundItems, room: Room): Promise<void> {
    await this.#places.acquire(owner.accountId)
    try {
      const { missing: itemIds, bytesLeft: mostBytes } = items
      const wanted = { itemIds, answerIds: items.answersOf(itemIds), mostBytes }
      for (const sealed of await inTime(this.#store.findItems(owner, wanted, Date.now()))) {
        if (this.#writer.isDropped(owner, sealed.id)) continue
        const answer = await this.#open(sealed, () => openAnswerBody(sealed, items.bytesLeft, this.#keys))
        if (answer === undefined) continue
        room.keepFetched(answer.length)
        items.take(answer)
      }
    } finally {
      this.#places.release(owner.accountId)
    }
  }

  async #load(owner: AnswerOwner, id: string, room: Room): Promise<OpenedAnswer | undefined> {
    await this.#places.acquire(owner.accountId)
    try {
      const sealed = await inTime(this.#store.find(owner, id, Date.now()))
      if (sealed === undefined) return undefined
      room.keepFetched(sealed.plainBytes)
      return await this.#open(sealed, () => openAnswer(sealed, this.#keys))
    } finally {
      this.#places.release(owner.accountId)
    }
  }

  /** An answer that no key opens counts as missing, and the operator gets a log message. */
  async #open<Of>({ id }: Pick<FoundAnswer, 'id'>, open: () => Promise<Of>): Promise<Of | undefined> {
    try {
      return await open()
    } catch (error) {
      if (error instanceof GatewayError) throw error
      this.#log.error({ answer: id, error: String(error) }, 'a stored answer cannot be decrypted')
      return undefined
    }
  }
}

type KeptOf = AnswerOwner & Pick<KeptAnswer, 'id' | 'input'>

/** Keeps one answer. */
class StoringKeeper implements AnswerKeeper {
  readonly #kept: KeptAnswers
  readonly #of: KeptOf

  constructor(kept: KeptAnswers, of: KeptOf) {
    this.#kept = kept
    this.#of = of
  }

  keep(answer: object, itemIds: readonly string[]): boolean {
    const bytes = Buffer.from(JSON.stringify(answer))
    if (bytes.length + this.#of.input.length > this.#kept.maxAnswerBytes) {
      this.#kept.noteTooLarge(this.#of.id)
      return false
    }
    return this.#kept.add({ ...this.#of, createdAtMs: Date.now(), itemIds, answer: bytes })
  }
}

function isRecent(id: string): boolean {
  const requestId = id.slice(id.indexOf('req_'))
  return requestId >= firstIdentifierAt('req', Date.now() - recentMs)
}

async function inTime<Value>(lookingUp: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(lookUpError()), lookUpMs)
  try {
    return await Promise.race([lookingUp, late])
  } finally {
    clearTimeout(timer)
  }
}
