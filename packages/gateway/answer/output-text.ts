import type { OutputSeen } from './ending.ts'

/** Kept of an answer's text: enough to know how many of its bytes make a token. */
const maxKeptBytes = 16 * 1024
const firstBytes = 256
const growth = 1.5

/**
 * The text that a stream has delivered, in case nobody reports how many tokens it was. Kept as bytes, since
 * thousands of short texts of open streams would be work for each garbage collection.
 */
export class OutputText implements OutputSeen {
  #kept: Buffer | undefined
  #keptBytes = 0
  /** Of the whole text, as UTF-8. */
  bytes = 0
  /** Some of it is what the model thought. */
  reasoningSeen = false
  /** As much of it as the caller was given. */
  #givenBytes = 0

  add(text: string): void {
    const whole = this.#keptBytes === this.bytes
    // UTF-8 has at most three bytes a character of ours: mostly they need not be counted first.
    if (whole && this.#kept !== undefined && this.#kept.length - this.#keptBytes >= text.length * 3) {
      this.#keptBytes += this.#kept.write(text, this.#keptBytes)
      this.bytes = this.#keptBytes
      return
    }
    const bytes = Buffer.byteLength(text)
    if (whole) this.#keptBytes += this.#withRoomFor(bytes).write(text, this.#keptBytes)
    this.bytes += bytes
  }

  /** The caller was given all of it. */
  given(): void {
    this.#givenBytes = this.bytes
  }

  /** What the caller was not given is forgotten: it is not charged. */
  forgetRest(): void {
    this.bytes = this.#givenBytes
    if (this.#keptBytes > this.bytes) this.#keptBytes = this.bytes
  }

  get text(): string {
    return this.#kept?.toString('utf8', 0, this.#keptBytes) ?? ''
  }

  /** As it is now; itself it goes on to change. */
  seen(): OutputSeen {
    const { text, bytes, reasoningSeen } = this
    return { text, bytes, reasoningSeen }
  }

  #withRoomFor(bytes: number): Buffer {
    const wanted = Math.min(this.#keptBytes + bytes, maxKeptBytes)
    if (this.#kept !== undefined && this.#kept.length >= wanted) return this.#kept
    const room = Math.min(maxKeptBytes, Math.max(firstBytes, Math.ceil(wanted * growth)))
    const grown = Buffer.allocUnsafeSlow(room)
    this.#kept?.copy(grown, 0, 0, this.#keptBytes)
    this.#kept = grown
    return grown
  }
}
