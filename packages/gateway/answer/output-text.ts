import type { OutputSeen } from './ending.ts'

/** Kept of an answer's text: enough to know how many of its bytes make a token. */
const maxKeptBytes = 64 * 1024
const firstBytes = 1024

/**
 * The text that a stream has delivered, in case nobody reports how many tokens it was. Kept as bytes, since
 * thousands of short texts of open streams would be work for each garbage collection.
 */
export class OutputText {
  #kept: Buffer | undefined
  #keptBytes = 0
  /** Of the whole text, as UTF-8. */
  bytes = 0

  add(text: string): void {
    if (this.#keptBytes < this.bytes) {
      this.bytes += Buffer.byteLength(text)
      return
    }
    // UTF-8 has at most three bytes a character of ours.
    const kept = this.#withRoomFor(text.length * 3)
    const written = kept.write(text, this.#keptBytes)
    this.#keptBytes += written
    this.bytes += kept.length - this.#keptBytes < 3 ? Buffer.byteLength(text) : written
  }

  seen(): OutputSeen {
    return { text: this.#kept?.toString('utf8', 0, this.#keptBytes) ?? '', bytes: this.bytes }
  }

  #withRoomFor(bytes: number): Buffer {
    const wanted = Math.min(this.#keptBytes + bytes, maxKeptBytes)
    if (this.#kept !== undefined && this.#kept.length >= wanted) return this.#kept
    const grown = Buffer.allocUnsafeSlow(Math.min(maxKeptBytes, Math.max(firstBytes, wanted, wanted * 2)))
    this.#kept?.copy(grown, 0, 0, this.#keptBytes)
    this.#kept = grown
    return grown
  }
}
