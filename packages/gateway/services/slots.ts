import { GatewayError } from '@turnpike/protocol'

/** Limits on how many may run at once. */
export interface SlotLimits {
  /** For a node, and for one account. */
  atOnce: number
  ofAccount: number
  /** How many more may wait; beyond this they are rejected at once. */
  waiting: number
  waitingOfAccount: number
  /** The message of that error. */
  refusal: string
}

interface Waiting {
  accountId: string
  enter: () => void
}

/**
 * Limits work that takes long, or much memory. An account that has used up its share waits for its own
 * places, however many keys it has, and neither delays other accounts nor takes their places in the queue.
 */
export class Slots {
  readonly #bounds: SlotLimits
  readonly #byAccount = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #taken = 0

  constructor(bounds: SlotLimits) {
    this.#bounds = bounds
  }

  /**
   * Resolves when there is a place, which must be released afterwards.
   * @throws {GatewayError} 503 if too many wait
   */
  acquire(accountId: string): Promise<void> {
    if (this.#hasPlaceFor(accountId)) {
      this.#take(accountId)
      return Promise.resolve()
    }
    const { waiting, waitingOfAccount, refusal } = this.#bounds
    if (this.#waiting.length >= waiting || this.#waitingOf(accountId) >= waitingOfAccount)
      return Promise.reject(new GatewayError('service_unavailable', refusal, { retryAfterSeconds: 1 }))
    return new Promise((resolve) => this.#waiting.push({ accountId, enter: resolve }))
  }

  release(accountId: string): void {
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
    const { atOnce, ofAccount } = this.#bounds
    return this.#taken < atOnce && (this.#byAccount.get(accountId) ?? 0) < ofAccount
  }

  #take(accountId: string): void {
    this.#taken++
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1)
  }
}
