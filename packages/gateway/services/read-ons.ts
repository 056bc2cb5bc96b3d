/** Each is a connection to a vendor and a few kilobytes: beyond it an estimate has to do. */
const mostAtOnce = 256

/** An answer that is read though its client has left. */
export interface ReadOn {
  /** It has come to its end. */
  done(): void
}

/**
 * Answers that are read on for their usage after their clients have left, where vendors bill what nobody has
 * seen (docs/contract.md, 4.7): for a while each, and only so many at once.
 */
export class ReadOns {
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
  begin(end: () => void): ReadOn | undefined {
    if (this.#closed || this.#readOnMs === 0 || this.#ends.size >= mostAtOnce) return undefined
    const ended = (): void => {
      readOn.done()
      end()
    }
    const timer = setTimeout(ended, this.#readOnMs)
    const readOn: ReadOn = {
      done: () => {
        clearTimeout(timer)
        this.#ends.delete(ended)
      },
    }
    this.#ends.add(ended)
    return readOn
  }

  /** The node stops: all end now, and no further one begins. */
  close(): void {
    this.#closed = true
    for (const end of this.#ends) end()
  }
}
