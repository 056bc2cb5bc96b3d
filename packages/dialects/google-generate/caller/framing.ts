/** How the answers of a stream follow each other, as Google writes them. */
export interface Framing {
  /**
   * One answer, whole.
   * @param json latin1
   */
  frame(json: string): string
  /** Behind the last one. */
  end(): string
}

/** With `alt=sse`. */
export const serverSentEvents: Framing = {
  frame: (json) => `data: ${json}\r\n\r\n`,
  end: () => '',
}

/** Without it: one JSON array, whose elements come one after the other. */
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
