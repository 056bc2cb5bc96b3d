import type { OutputSeen } from './ending.ts'

/** Kept of an answer's text: enough to know how many of its bytes make a token. */
const maxKeptCharacters = 64 * 1024

/** The text that a stream has delivered, in case nobody reports how many tokens it was. */
export class OutputText {
  #text = ''
  /** Of the whole text, as UTF-8. */
  bytes = 0

  add(text: string): void {
    this.bytes += Buffer.byteLength(text)
    if (this.#text.length < maxKeptCharacters) this.#text += text
  }

  seen(): OutputSeen {
    return { text: this.#text, bytes: this.bytes }
  }
}
