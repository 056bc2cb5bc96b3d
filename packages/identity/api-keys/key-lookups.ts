import type { ApiKeyStore } from './api-key-store.ts'
import type { KnownKey } from './api-key.ts'

/** Asked for with one query; several thousand take it no longer than a few milliseconds. */
const mostAtOnce = 512
/** Where one of them hangs, the others go on. */
const queriesAtOnce = 2
/** More are refused at once: who waits in vain is not helped by waiting. */
const mostWaiting = 10_000

interface Waiting {
  keyHash: string
  resolve: (key: KnownKey | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Looks keys up that this node does not know. Whoever sends one made-up key after the other must not cost the
 * database a query each: what comes while a query is under way waits for the next one, which is for all.
 */
export class KeyLookups {
  readonly #store: Pick<ApiKeyStore, 'findByHashes'>
  #waiting: Waiting[] = []
  #underWay = 0

  constructor(store: Pick<ApiKeyStore, 'findByHashes'>) {
    this.#store = store
  }

  /** Rejects where the store cannot be reached, or where too many wait. */
  find(keyHash: string): Promise<KnownKey | undefined> {
    if (this.#waiting.length >= mostWaiting)
      return Promise.reject(new Error('too many key look-ups are in progress'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ keyHash, resolve, reject })
      if (this.#underWay < queriesAtOnce) void this.#next()
    })
  }

  async #next(): Promise<void> {
    this.#underWay++
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostAtOnce)
      try {
        const found = await this.#store.findByHashes(batch.map(({ keyHash }) => keyHash))
        for (const { keyHash, resolve } of batch) resolve(found.get(keyHash))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#underWay--
  }
}
