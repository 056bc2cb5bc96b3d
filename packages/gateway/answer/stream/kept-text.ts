/** Enough to know how many of a text's bytes make a token. */
const mostBytes = 16 * 1024
const firstPieceBytes = 512
const longestPieceBytes = 4 * 1024
/** UTF-8 has at most three bytes a character of ours. */
const mostBytesPerCharacter = 3

/** Complete characters of one piece of memory. */
interface Piece {
  memory: Buffer
  bytes: number
}

const encoder = new TextEncoder()

/**
 * The beginning of a text, as UTF-8. Kept as bytes, since thousands of short texts of open streams would be
 * work for each garbage collection. And in pieces that stay where they are: memory that is outgrown again and
 * again would soon make V8 collect its whole heap.
 */
export class KeptText {
  readonly #full: Piece[] = []
  #last: Piece = { memory: Buffer.allocUnsafeSlow(firstPieceBytes), bytes: 0 }
  bytes = 0

  /** True where all of it was kept without a look at its length; else nothing was kept. */
  addShort(text: string): boolean {
    const { memory, bytes } = this.#last
    if (memory.length - bytes < text.length * mostBytesPerCharacter) return false
    const added = memory.write(text, bytes)
    this.#last.bytes += added
    this.bytes += added
    return true
  }

  /** Keeps as much of it as there is room for, in complete characters. */
  add(text: string): void {
    for (let rest = text; ;) {
      const { memory, bytes } = this.#last
      const { read, written } = encoder.encodeInto(rest, memory.subarray(bytes))
      this.#last.bytes += written
      this.bytes += written
      rest = rest.slice(read)
      const room = mostBytes - this.#full.reduce((sum, piece) => sum + piece.memory.length, memory.length)
      if (rest === '' || room === 0) return
      this.#full.push(this.#last)
      const length = Math.min(room, longestPieceBytes, memory.length * 2)
      this.#last = { memory: Buffer.allocUnsafeSlow(length), bytes: 0 }
    }
  }

  /** Keeps the first so many bytes alone. */
  cut(bytes: number): void {
    while (this.bytes > bytes) {
      const dropped = Math.min(this.#last.bytes, this.bytes - bytes)
      this.#last.bytes -= dropped
      this.bytes -= dropped
      if (this.#last.bytes === 0 && this.#full.length > 0) this.#last = this.#full.pop()!
    }
  }

  get text(): string {
    return [...this.#full, this.#last].map(({ memory, bytes }) => memory.toString('utf8', 0, bytes)).join('')
  }
}
