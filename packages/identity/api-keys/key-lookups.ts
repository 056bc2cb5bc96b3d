import type { ApiKeyStore } from './api-key-store.ts'
import type { KnownKey } from './api-key.ts'

/** How many keys one query looks up; several thousand would not take it longer than a few milliseconds. */
const mostAtOnce = 512
/** If one query hangs, the other continues. */
const queriesAtOnce = 2
/** Further look-ups are refused at once: a caller would only wait in vain. */
const mostWaiting = 10_000

interface Waiting {
  keyHash: string
  resolve: (key: KnownKey | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Looks up keys that this node does not know. A client that sends one made-up key after another must not cost
 * the database a query each: look-ups that arrive while a query is running wait and share the next one.
 */
export class KeyLookups {
  readonly #store: Pick<ApiKeyStore, 'findByHashes'>
  #waiting: Waiting[] = []
  #underWay = 0

  constructor(store: Pick<ApiKeyStore, 'findByHashes'>) {
    this.#store = store
  }

  /** Rejects if the store cannot be reached, or if too many look-ups are waiting. */
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
