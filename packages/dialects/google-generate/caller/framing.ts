import { asBytes } from '../../sse/parser.ts'

/** How the answers of a stream follow each other. */
export interface Framing {
  /** One answer, whole. */
  framed(json: string): string
  /** Behind the last one. */
  end(): string
}

/** With `alt=sse`. */
export const serverSentEvents: Framing = {
  framed: (json) => `data: ${asBytes(json)}\n\n`,
  end: () => '',
}

/** Without it: one JSON array, whose elements come one after the other. */
export class ArrayFraming implements Framing {
  #begun = false

  framed(json: string): string {
    const before = this.#begun ? ',\r\n' : '['
    this.#begun = true
    return before + asBytes(json)
  }

  end(): string {
    return this.#begun ? ']' : '[]'
  }
}
