/** Each is a connection to a vendor and a few kilobytes: beyond it an estimate has to do. */
const mostAtOnce = 256

/** An answer that is read though its client has left. */
export interface BackgroundRead {
  /** It has come to its end. */
  finish(): void
}

/**
 * Answers that are read on for their usage after their clients have left, where vendors bill what nobody has
 * seen (docs/contract.md, 4.7): for a while each, and only so many at once.
 */
export class BackgroundReads {
  readonly #readOnMs: number
  readonly #ends = new Set<() => void>()
  #closed = false

  /** @param readOnMs how long one is read at most; 0: none is */
  constructor(readOnMs: number) {
    this.#readOnMs = readOnMs
  }

  /** How many are read at the moment. */
  get size(): number {
    return this.#ends.size
  }

  /**
   * Undefined where no further one may be read.
   * @param end called once, unless it is done before: its time is over
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

  /** The node stops: all end now, and no further one begins. */
  close(): void {
    this.#closed = true
    for (const end of this.#ends) end()
  }
}
