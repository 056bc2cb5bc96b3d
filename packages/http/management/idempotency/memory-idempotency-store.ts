import {
  idempotencyMemoryMs,
  type Claim,
  type IdempotencyStore,
  type KeptAnswer,
} from './idempotency-store.ts'

/** Beyond either bound the oldest entries are forgotten before their time. */
const defaultMaxEntries = 50_000
const defaultMaxBodyCharacters = 32 * 1024 * 1024

interface Entry {
  fingerprint: string
  claimedAtMs: number
  answer: KeptAnswer | undefined
}

/** In the memory of one node: forgets at a restart, and knows nothing of other nodes. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #maxEntries: number
  readonly #maxBodyCharacters: number
  /** A Map keeps the order in which its entries came: the first is the oldest. */
  readonly #entries = new Map<string, Entry>()
  #bodyCharacters = 0

  constructor(maxEntries = defaultMaxEntries, maxBodyCharacters = defaultMaxBodyCharacters) {
    this.#maxEntries = maxEntries
    this.#maxBodyCharacters = maxBodyCharacters
  }

  async claim(id: string, fingerprint: string, nowMs: number): Promise<Claim> {
    this.#forgetOld(nowMs)
    const entry = this.#entries.get(id)
    if (entry === undefined) {
      this.#entries.set(id, { fingerprint, claimedAtMs: nowMs, answer: undefined })
      return { state: 'claimed' }
    }
    if (entry.fingerprint !== fingerprint) return { state: 'reused' }
    return entry.answer === undefined ? { state: 'running' } : { state: 'answered', answer: entry.answer }
  }

  async keep(id: string, answer: KeptAnswer): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    entry.answer = answer
    this.#bodyCharacters += answer.body.length
  }

  async release(id: string): Promise<void> {
    this.#delete(id)
  }

  #forgetOld(nowMs: number): void {
    for (const [id, entry] of this.#entries) {
      const tooMany = this.#entries.size >= this.#maxEntries || this.#bodyCharacters > this.#maxBodyCharacters
      if (!tooMany && nowMs - entry.claimedAtMs < idempotencyMemoryMs) return
      this.#delete(id)
    }
  }

  #delete(id: string): void {
    this.#bodyCharacters -= this.#entries.get(id)?.answer?.body.length ?? 0
    this.#entries.delete(id)
  }
}
