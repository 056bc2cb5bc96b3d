import type { ApiKeyStore } from './api-key-store.ts'
import type { KnownKey } from './api-key.ts'
import { KeyLookups } from './key-lookups.ts'
import { hashApiKey, isWellFormedApiKey } from './raw-key.ts'

/** Keys kept in memory at most; the least recently admitted ones go first. */
const maxKnown = 200_000
/** Hashes of keys that do not exist, so that one that is sent again and again costs the database little. */
const maxUnknown = 50_000
/** No longer: it may have been made on another node meanwhile. */
const unknownForMs = 1_000
/** A key older than this is read again, behind the request that used it. */
const freshForMs = 30_000

/** A read under way, and what had been forgotten when it began. */
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
  /** Grows with every `forget…`: what was read before one must not be kept after it. */
  #forgotten = 0

  constructor(store: Pick<ApiKeyStore, 'findByHashes'>, onRefreshError: (error: unknown) => void) {
    this.#lookups = new KeyLookups(store)
    this.#onRefreshError = onRefreshError
  }

  /**
   * The key of this raw text, without a promise where it is known. Undefined for a key that is malformed or
   * does not exist; revoked and expired ones are found, and told by their fields.
   * Rejects where the store cannot be reached.
   */
  find(raw: string, nowMs: number): KnownKey | undefined | Promise<KnownKey | undefined> {
    const keyHash = hashApiKey(raw)
    const known = this.#findCached(keyHash, nowMs)
    if (known !== undefined) return known
    return isWellFormedApiKey(raw) ? this.#lookUp(keyHash, nowMs) : undefined
  }

  /** As `find`, for who knows a key by what is stored of it, and not the key itself. */
  findByHash(keyHash: string, nowMs: number): KnownKey | undefined | Promise<KnownKey | undefined> {
    return this.#findCached(keyHash, nowMs) ?? this.#lookUp(keyHash, nowMs)
  }

  /** Forgets a key, which was changed or revoked: it is read again at its next use. */
  forget(keyId: string): void {
    this.#forgotten++
    for (const [keyHash, known] of this.#known) {
      if (known.key.id === keyId || known.key.secretOf === keyId) this.#known.delete(keyHash)
    }
  }

  /** Forgets every key of an account, whose status or tier changed. */
  forgetAccount(accountId: string): void {
    this.#forgotten++
    for (const [keyHash, known] of this.#known) {
      if (known.key.accountId === accountId) this.#known.delete(keyHash)
    }
  }

  /** Forgets every key: what became of them may not have been heard. */
  forgetAll(): void {
    this.#forgotten++
    this.#known.clear()
    this.#unknown.clear()
  }

  /** Forgets that a key did not exist: it was just made. */
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
   * Where a node has just started, or a key was forgotten, many come with it at once: one read is for all of
   * them, but for those that came after something was forgotten, since it may be older than the change.
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
        // Forgotten meanwhile: what was just read may be older than the change.
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

/** A Map keeps the order in which its entries came: the first is the oldest. */
function evictOldest(map: Map<string, unknown>, limit: number): void {
  if (map.size < limit) return
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}
