import { utf8 } from '@turnpike/dialects'
import type { OutputSeen } from './ending.ts'

/** Kept of an answer's text: enough to know how many of its bytes make a token. */
const maxKeptBytes = 64 * 1024

/** The text that a stream has delivered, in case nobody reports how many tokens it was. */
export class OutputText {
  #latin1 = ''
  bytes = 0

  add(latin1: string): void {
    this.bytes += latin1.length
    if (this.#latin1.length < maxKeptBytes) this.#latin1 += latin1
  }

  seen(): OutputSeen {
    return { text: utf8(this.#latin1), bytes: this.bytes }
  }
}
