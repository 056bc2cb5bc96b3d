import type { LeaseHolder } from './lease-store.ts'

/**
 * A recall of other nodes' unused credit of a key. It is done when all have answered, or after a time.
 * Answers may arrive before it is known which nodes were asked.
 */
export class LeaseRecall {
  readonly done: Promise<void>
  readonly #answers = new Map<string, { givenPico: bigint; heldPico: bigint }>()
  /** Ends the wait. */
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

  /** Sets the nodes that were asked. */
  setHolders(holders: readonly LeaseHolder[]): void {
    this.#holders = holders
    this.#finishIfAnswered()
  }

  addAnswer(nodeId: string, givenPico: bigint, heldPico: bigint): void {
    this.#answers.set(nodeId, { givenPico, heldPico })
    this.#finishIfAnswered()
  }

  /** The credit that was returned. */
  get givenPico(): bigint {
    let sum = 0n
    for (const { givenPico } of this.#answers.values()) sum += givenPico
    return sum
  }

  /**
   * Credit that may still come back: what other nodes' requests hold and, of nodes that did not answer,
   * everything they had. Undefined if there was no node to ask.
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

/** `given` if other nodes returned credit, else what they hold; undefined if none was asked. */
export type RecallOutcome = 'given' | { heldPico: bigint | undefined }

export const notAsked = { heldPico: undefined }

export function outcomeOf(asking: LeaseRecall): RecallOutcome {
  return asking.givenPico > 0n ? 'given' : { heldPico: asking.heldPico }
}
