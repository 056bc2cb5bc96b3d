const slots = 256
const slotBytes = 32

/**
 * A random sample of pieces of a text too long to be kept, each equally likely to be included
 * (https://en.wikipedia.org/wiki/Reservoir_sampling). With a predictable sample, a caller could make all
 * other pieces expensive without being charged.
 */
export class PieceSample {
  readonly #bytes = Buffer.allocUnsafeSlow(slots * slotBytes)
  readonly #lengths = new Uint8Array(slots)
  #pieces = 0

  add(piece: string): void {
    const place = this.#pieces++
    const slot = place < slots ? place : Math.floor(Math.random() * this.#pieces)
    if (slot >= slots) return
    this.#lengths[slot] = this.#bytes.write(piece.slice(-slotBytes), slot * slotBytes, slotBytes)
  }

  get text(): string {
    let text = ''
    for (let slot = 0; slot < Math.min(this.#pieces, slots); slot++) {
      const start = slot * slotBytes
      text += this.#bytes.toString('utf8', start, start + this.#lengths[slot]!)
    }
    return text
  }
}
