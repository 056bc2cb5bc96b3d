import { GatewayError } from '@turnpike/protocol'

/** Of a node, and of one key: media may come from hosts that answer as slowly as they are let. */
const mostAtOnce = 64
const mostOfKey = 8
/** Further ones wait, of a node and of one key; beyond this they are refused at once. */
const mostWaiting = 1_000
const mostWaitingOfKey = 100

interface Waiting {
  keyId: string
  enter: () => void
}

/** Who may read media now. A key that has its share waits for its own, and keeps no other key waiting. */
export class MediaPlaces {
  readonly #byKey = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #taken = 0

  /**
   * Resolves when there is a place, which is to be left afterwards.
   * @throws {GatewayError} 503 where too many wait
   */
  enter(keyId: string): Promise<void> {
    if (this.#hasPlaceFor(keyId)) {
      this.#take(keyId)
      return Promise.resolve()
    }
    if (this.#isFullFor(keyId)) {
      const message = 'Too many media are being read from their addresses; please retry.'
      return Promise.reject(new GatewayError('service_unavailable', message, { retryAfterSeconds: 1 }))
    }
    return new Promise((resolve) => this.#waiting.push({ keyId, enter: resolve }))
  }

  leave(keyId: string): void {
    this.#taken--
    const ofKey = this.#byKey.get(keyId)! - 1
    if (ofKey === 0) this.#byKey.delete(keyId)
    else this.#byKey.set(keyId, ofKey)
    const next = this.#waiting.findIndex((one) => this.#hasPlaceFor(one.keyId))
    if (next === -1) return
    const [entering] = this.#waiting.splice(next, 1)
    this.#take(entering!.keyId)
    entering!.enter()
  }

  #hasPlaceFor(keyId: string): boolean {
    return this.#taken < mostAtOnce && (this.#byKey.get(keyId) ?? 0) < mostOfKey
  }

  #isFullFor(keyId: string): boolean {
    if (this.#waiting.length < mostWaitingOfKey) return false
    if (this.#waiting.length >= mostWaiting) return true
    return this.#waiting.filter((one) => one.keyId === keyId).length >= mostWaitingOfKey
  }

  #take(keyId: string): void {
    this.#taken++
    this.#byKey.set(keyId, (this.#byKey.get(keyId) ?? 0) + 1)
  }
}
