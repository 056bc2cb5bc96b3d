import type { ApiKeyStore } from './api-key-store.ts'
import type { KnownKey } from './api-key.ts'
import { KeyLookups } from './key-lookups.ts'
import { hashApiKey, isWellFormedApiKey } from './raw-key.ts'

/** How many keys are kept in memory; the least recently admitted ones are evicted first. */
const maxKnown = 200_000
/** How many unknown hashes are remembered, so that a wrong key sent repeatedly costs little. */
const maxUnknown = 50_000
/** No longer, since another node may have created the key in the meantime. */
const unknownForMs = 1_000
/** A key read longer ago than this is refreshed in the background of the request that uses it. */
const freshForMs = 30_000

/** A read in progress, and the value of `#forgotten` when it began. */
interface Reading {
  key: Promise<KnownKey | undefined>
  forgotten: number
}

interface Known {
  key: KnownKey
  readAtMs: number
  refreshing: boolean
}

/** The keys this node has seen, so that a known key costs no call to the database. */
export class KnownKeys {
  readonly #lookups: KeyLookups
  readonly #onRefreshError: (error: unknown) => void
  readonly #known = new Map<string, Known>()
  readonly #unknown = new Map<string, number>()
  readonly #reading = new Map<string, Reading>()
  /** Incremented by every `forget…`: a result read before that must not be kept afterwards. */
  #forgotten = 0

  constructor(store: Pick<ApiKeyStore, 'findByHashes'>, onRefreshError: (error: unknown) => void) {
    this.#lookups = new KeyLookups(store)
    this.#onRefreshError = onRefreshError
  }

  /**
   * Finds the key with this raw text; returns no promise if the key is cached. Undefined for a key that is
   * malformed or does not exist. Revoked and expired keys are found; their fields say so. Rejects if the
   * store cannot be reached.
   */
  find(raw: string, nowMs: number): KnownKey | undefined | Promise<KnownKey | undefined> {
    const keyHash = hashApiKey(raw)
    const known = this.#findCached(keyHash, nowMs)
    if (known !== undefined) return known
    return isWellFormedApiKey(raw) ? this.#lookUp(keyHash, nowMs) : undefined
  }

  /** As `find`, for callers that have the key's hash and not the key. */
  findByHash(keyHash: string, nowMs: number): KnownKey | undefined | Promise<KnownKey | undefined> {
    return this.#findCached(keyHash, nowMs) ?? this.#lookUp(keyHash, nowMs)
  }

  /** Forgets a key that was changed or revoked: its next use reads it again. */
  forget(keyId: string): void {
    this.#forgotten++
    for (const [keyHash, known] of this.#known) {
      if (known.key.id === keyId || known.key.secretOf === keyId) this.#known.delete(keyHash)
    }
  }

  /** Forgets every key of an account whose status or tier has changed. */
  forgetAccount(accountId: string): void {
    this.#forgotten++
    for (const [keyHash, known] of this.#known) {
      if (known.key.accountId === accountId) this.#known.delete(keyHash)
    }
  }

  /** Forgets every key: notices about changes may have been missed. */
  forgetAll(): void {
    this.#forgotten++
    this.#known.clear()
    this.#unknown.clear()
  }

  /** Forgets that a key did not exist: it was just created. */
  admit(keyHash: string): void {
    this.#unknown.delete(keyHash)
  }

  #findCached(keyHash: string, nowMs: number): KnownKey | undefined {
    const known = this.#known.get(keyHash)
    if (known === undefined) return undefined
    if (nowMs - known.readAtMs > freshForMs && !known.refreshing) this.#refresh(keyHash, known)
    return known.key
  }

  #lookUp(keyHash: string, nowMs: number): undefined | Promise<KnownKey | undefined> {
    const unknownSinceMs = this.#unknown.get(keyHash)
    if (unknownSinceMs !== undefined && nowMs - unknownSinceMs < unknownForMs) return undefined
    return this.#readOnce(keyHash)
  }

  /**
   * When a node has just started, or a key was forgotten, many requests need it at once: they share one read.
   * Requests that arrive after a `forget…` do not share an older read, which may predate the change.
   */
  #readOnce(keyHash: string): Promise<KnownKey | undefined> {
    const forgotten = this.#forgotten
    const underWay = this.#reading.get(keyHash)
    if (underWay?.forgotten === forgotten) return underWay.key
    const key = this.#read(keyHash).finally(() => {
      if (this.#reading.get(keyHash)?.key === key) this.#reading.delete(keyHash)
    })
    this.#reading.set(keyHash, { key, forgotten })
    return key
  }

  async #read(keyHash: string): Promise<KnownKey | undefined> {
    const forgotten = this.#forgotten
    const key = await this.#lookups.find(keyHash)
    if (forgotten !== this.#forgotten) return key
    if (key === undefined) {
      evictOldest(this.#unknown, maxUnknown)
      this.#unknown.set(keyHash, Date.now())
      return undefined
    }
    evictOldest(this.#known, maxKnown)
    this.#known.set(keyHash, { key, readAtMs: Date.now(), refreshing: false })
    return key
  }

  #refresh(keyHash: string, known: Known): void {
    known.refreshing = true
    this.#lookups
      .find(keyHash)
      .then((key) => {
        // Forgotten in the meantime: the result may predate the change.
        if (this.#known.get(keyHash) !== known) return
        if (key === undefined) this.#known.delete(keyHash)
        else this.#known.set(keyHash, { key, readAtMs: Date.now(), refreshing: false })
      })
      .catch((error: unknown) => {
        known.refreshing = false
        known.readAtMs = Date.now()
        this.#onRefreshError(error)
      })
  }
}

/** A Map iterates in insertion order, so its first entry is the oldest. */
function evictOldest(map: Map<string, unknown>, limit: number): void {
  if (map.size < limit) return
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}
