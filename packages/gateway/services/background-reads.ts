/** Each is a connection to a vendor and a few kilobytes; beyond this number, usage is estimated. */
const mostAtOnce = 256

/** An answer that is read after its client has left. */
export interface BackgroundRead {
  /** The answer has ended. */
  finish(): void
}

/**
 * Answers that are read on for their usage after their clients have left, if the vendor may bill unseen
 * tokens (docs/contract.md, 4.7). Limited in time and in number.
 */
export class BackgroundReads {
  readonly #readOnMs: number
  readonly #ends = new Set<() => void>()
  #closed = false

  /** @param readOnMs how long one may be read; 0: not at all */
  constructor(readOnMs: number) {
    this.#readOnMs = readOnMs
  }

  /** How many are being read at the moment. */
  get size(): number {
    return this.#ends.size
  }

  /**
   * Undefined if no further one may be read.
   * @param end called once when its time is up, unless it finished before
   */
  startRead(end: () => void): BackgroundRead | undefined {
    if (this.#closed || this.#readOnMs === 0 || this.#ends.size >= mostAtOnce) return undefined
    const expire = (): void => {
      readOn.finish()
      end()
    }
    const timer = setTimeout(expire, this.#readOnMs)
    const readOn: BackgroundRead = {
      finish: () => {
        clearTimeout(timer)
        this.#ends.delete(expire)
      },
    }
    this.#ends.add(expire)
    return readOn
  }

  /** The node stops: ends all of them, and allows no more. */
  close(): void {
    this.#closed = true
    for (const end of this.#ends) end()
  }
}
