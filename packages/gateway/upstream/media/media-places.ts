import { GatewayError } from '@turnpike/protocol'

/** Of a node, and of one account: media may come from hosts that answer as slowly as they are let. */
const mostAtOnce = 64
const mostOfAccount = 16
/** Further ones wait; beyond this they are refused at once. */
const mostWaiting = 1_000
const mostWaitingOfAccount = 250

interface Waiting {
  accountId: string
  enter: () => void
}

/**
 * Who may read media now. An account that has its share waits for its own, however many keys it has, and
 * keeps no other account waiting, nor from waiting.
 */
export class MediaPlaces {
  readonly #byAccount = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #taken = 0

  /**
   * Resolves when there is a place, which is to be left afterwards.
   * @throws {GatewayError} 503 where too many wait
   */
  enter(accountId: string): Promise<void> {
    if (this.#hasPlaceFor(accountId)) {
      this.#take(accountId)
      return Promise.resolve()
    }
    if (this.#waiting.length >= mostWaiting || this.#waitingOf(accountId) >= mostWaitingOfAccount) {
      const message = 'Too many media are being read from their addresses; please retry.'
      return Promise.reject(new GatewayError('service_unavailable', message, { retryAfterSeconds: 1 }))
    }
    return new Promise((resolve) => this.#waiting.push({ accountId, enter: resolve }))
  }

  leave(accountId: string): void {
    this.#taken--
    const ofAccount = this.#byAccount.get(accountId)! - 1
    if (ofAccount === 0) this.#byAccount.delete(accountId)
    else this.#byAccount.set(accountId, ofAccount)
    const next = this.#waiting.findIndex((one) => this.#hasPlaceFor(one.accountId))
    if (next === -1) return
    const [entering] = this.#waiting.splice(next, 1)
    this.#take(entering!.accountId)
    entering!.enter()
  }

  #waitingOf(accountId: string): number {
    let count = 0
    for (const one of this.#waiting) if (one.accountId === accountId) count++
    return count
  }

  #hasPlaceFor(accountId: string): boolean {
    return this.#taken < mostAtOnce && (this.#byAccount.get(accountId) ?? 0) < mostOfAccount
  }

  #take(accountId: string): void {
    this.#taken++
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1)
  }
}
