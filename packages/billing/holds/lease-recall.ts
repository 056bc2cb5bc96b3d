import type { LeaseHolder } from './lease-store.ts'

/**
 * Other nodes, asked to give back what they do not use of a key's credit: done when all have answered, or
 * after a time. Their answers may come before it is known who they are.
 */
export class LeaseRecall {
  readonly done: Promise<void>
  readonly #answers = new Map<string, { givenPico: bigint; heldPico: bigint }>()
  /** Nobody is waited for any more. */
  readonly end: () => void
  #holders: readonly LeaseHolder[] | undefined

  constructor(timeoutMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    this.done = promise
    this.end = () => {
      clearTimeout(timer)
      resolve()
    }
  }

  /** Who was asked. */
  setHolders(holders: readonly LeaseHolder[]): void {
    this.#holders = holders
    this.#finishIfAnswered()
  }

  addAnswer(nodeId: string, givenPico: bigint, heldPico: bigint): void {
    this.#answers.set(nodeId, { givenPico, heldPico })
    this.#finishIfAnswered()
  }

  /** What has become free. */
  get givenPico(): bigint {
    let sum = 0n
    for (const { givenPico } of this.#answers.values()) sum += givenPico
    return sum
  }

  /**
   * What may come back later: what others' requests hold; of those that did not answer, all they had.
   * Undefined where there was nobody to ask.
   */
  get heldPico(): bigint | undefined {
    if (this.#holders === undefined || this.#holders.length === 0) return undefined
    let sum = 0n
    for (const { nodeId, pico } of this.#holders) sum += this.#answers.get(nodeId)?.heldPico ?? pico
    return sum
  }

  #finishIfAnswered(): void {
    if (this.#holders?.every(({ nodeId }) => this.#answers.has(nodeId)) === true) this.end()
  }
}

/**
 * `given`, where other nodes gave credit back; else what they hold, which is why they did not, undefined
 * where they were not asked.
 */
export type RecallOutcome = 'given' | { heldPico: bigint | undefined }

export const notAsked = { heldPico: undefined }

export function outcomeOf(asking: LeaseRecall): RecallOutcome {
  return asking.givenPico > 0n ? 'given' : { heldPico: asking.heldPico }
}
