/** How the answers of a stream are separated, as Google writes them. */
export interface Framing {
  /**
   * Frames one complete answer.
   * @param json latin1
   */
  frame(json: string): string
  /** Follows the last answer. */
  end(): string
}

/** With `alt=sse`. */
export const serverSentEvents: Framing = {
  frame: (json) => `data: ${json}\r\n\r\n`,
  end: () => '',
}

/** Without it: one JSON array, whose elements arrive one after the other. */
export class ArrayFraming implements Framing {
  #begun = false

  frame(json: string): string {
    const before = this.#begun ? ',\r\n' : '['
    this.#begun = true
    return `${before}${json}\n`
  }

  end(): string {
    return this.#begun ? ']' : '[]'
  }
}
