import type { OwnKeys } from '@turnpike/gateway'
import type { VendorKeySeen, VendorKeyStore } from '@turnpike/identity'
import type { SealedVendorKeys } from './sealed-vendor-keys.ts'

const everyMs = 5_000
/** Rounds between two checks for keys that an older key has sealed. */
const resealEvery = 12
const resealedAtOnce = 50
/** Uses that one node keeps in memory while the database is unavailable. */
const mostWaiting = 10_000

function opened(
  sealing: SealedVendorKeys,
  key: Parameters<SealedVendorKeys['open']>[0],
  failures: unknown[],
): string | undefined {
  try {
    return sealing.open(key)
  } catch (error) {
    failures.push(error)
    return undefined
  }
}

interface UpkeepParts {
  store: Pick<VendorKeyStore, 'note' | 'listOutdatedSeals' | 'reseal' | 'countBySealingKey'>
  ownKeys: Pick<OwnKeys, 'takeSeen'>
  sealing: SealedVendorKeys
  onFailure: (error: unknown, what: string) => void
}

/**
 * Every few seconds, records which keys were used and rejected, and seals keys again that an older key has
 * sealed. Any number of nodes may do so at once, and a node that is killed leaves nothing half done.
 */
export class VendorKeyUpkeep {
  readonly #parts: UpkeepParts
  #waiting: VendorKeySeen[] = []
  #counts: ReadonlyMap<string, number> = new Map()
  #round = 0
  #timer: NodeJS.Timeout | undefined
  #running = Promise.resolve()
  #stopped = false

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  start(): void {
    this.#running = this.#work().then(() => this.#next())
  }

  /** The number of own keys by the sealing key, as of at most a minute ago. */
  get sealed(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** Resolves when everything is recorded and the storage is no longer in use. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
    await this.#note()
  }

  #next(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => this.start(), everyMs)
    this.#timer.unref()
  }

  async #work(): Promise<void> {
    await this.#note()
    if (this.#round++ % resealEvery !== 0) return
    try {
      await this.reseal()
      this.#counts = await this.#parts.store.countBySealingKey()
    } catch (error) {
      this.#parts.onFailure(error, 'own vendor keys could not be re-encrypted')
    }
  }

  /** Never rejects: what could not be recorded is recorded the next time. */
  async #note(): Promise<void> {
    const seen = [...this.#waiting, ...this.#parts.ownKeys.takeSeen()].slice(0, mostWaiting)
    this.#waiting = []
    if (seen.length === 0) return
    try {
      await this.#parts.store.note(seen)
    } catch (error) {
      this.#waiting = seen
      this.#parts.onFailure(error, 'the last use of own vendor keys could not be saved')
    }
  }

  /**
   * Seals all keys again that are not sealed with the newest key. Keys that cannot be opened are skipped
   * and logged together: a node that lacks a sealing key cannot open thousands of them.
   */
  async reseal(): Promise<void> {
    const { store, sealing, onFailure } = this.#parts
    const failures: unknown[] = []
    let afterId = ''
    while (!this.#stopped) {
      const keys = await store.listOutdatedSeals(sealing.keyName, afterId, resealedAtOnce)
      for (const key of keys) {
        const secret = opened(sealing, key, failures)
        if (secret !== undefined) await store.reseal(key, sealing.seal(secret, key))
      }
      const last = keys.at(-1)
      if (last === undefined) break
      afterId = last.id
    }
    if (failures.length > 0)
      onFailure(failures[0], `${failures.length} own vendor keys could not be decrypted to be re-encrypted`)
  }
}
