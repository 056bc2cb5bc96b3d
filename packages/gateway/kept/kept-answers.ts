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
  /** For how long each answer is kept. */
  storeMs: number
  /** 32 bytes each; the first seals, all open. */
  encryptionKeys: readonly Buffer[]
  /** Of an answer and the conversation before it, as JSON. */
  maxAnswerBytes: number
  /** Of all answers of an account, sealed. */
  maxAccountBytes: number
  /** Other nodes write to the same store. */
  isShared: boolean
}

/** Where a request has its room: what is read for it takes of that. */
interface Room {
  /** @throws {GatewayError} 503 where there is none */
  keepFetched(bytes: number): void
}

const lookUpMs = 5_000
/** An identifier is longer in no case. */
const mostIdCharacters = 64
/**
 * Another node may have answered just now, and write the answer in a moment. How long after its identifier
 * was made that can be: longer than answers take.
 */
const recentMs = 20 * 60_000
const lookAgainMs = [40, 120, 340] as const

/** Answers that callers may read again, and go on from (docs/security.md tells how they are kept). */
export class KeptAnswers {
  readonly maxAnswerBytes: number
  readonly #store: KeptAnswerStore
  readonly #keys: KeyRing
  readonly #writer: AnswerWriter
  readonly #log: GatewayLog
  readonly #isShared: boolean
  /** Each reader may bring megabytes, and the connections are the requests' own, too. */
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

  /** Of answers that are not in the database yet. */
  get waitingBytes(): number {
    return this.#writer.bytes
  }

  /**
   * Who keeps the answer to this input once it is there; undefined where it would be too large.
   * @param input JSON of a list; undefined: it is too large already
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
   * The answer of that owner; undefined where there is none, or it is another one's.
   * @throws {GatewayError} 503 where it cannot be looked up, or there is no room for it
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
   * Looks for items of that owner's answers; what is not found is not there.
   * @throws {GatewayError} 413, 503 where they cannot be looked up, or there is no room for them
   */
  async findItems(owner: AnswerOwner, items: FoundItems, room: Room): Promise<void> {
    const { missing } = items
    const answers = new Set(items.answersOf(missing))
    for (const { answer } of this.#writer.withItems(owner, answers, new Set(missing))) {
      room.keepFetched(answer.length)
      items.take(answer)
    }
    // Ids of vendors tell no time: another node may be about to write any of them.
    for (const waitMs of [0, ...(this.#isShared ? lookAgainMs : [])]) {
      if (items.missing.length === 0) return
      if (waitMs > 0) await delay(waitMs)
      await this.#loadItems(owner, items, room)
    }
  }

  /**
   * @returns whether there was one
   * @throws {GatewayError} 503 where the store is out of reach
   */
  async drop(owner: AnswerOwner, id: string): Promise<boolean> {
    const waiting = this.#writer.drop(owner, id)
    if (waiting !== undefined) return inTime(waiting)
    const drop = async (): Promise<true | undefined> =>
      (await inTime(this.#store.drop(owner, id, Date.now()))) || undefined
    return (await this.#untilWritten(id, drop)) === true
  }

  /** Writes what waits. */
  close(): Promise<void> {
    return this.#writer.close()
  }

  /** Looks again where another node may be about to write it. */
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

  /** What no key opens is as good as gone: the operator is told. */
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

/** Of one answer. */
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
