/** Enough text to estimate how many of its bytes make a token. */
const mostPieces = 16
const pieceBytes = 1_024
/** UTF-8 takes at most three bytes per UTF-16 unit. */
const mostBytesPerCharacter = 3

/** Complete characters in one block of memory. */
interface Piece {
  memory: Buffer
  bytes: number
}

const encoder = new TextEncoder()

/** Blocks that no text uses at the moment: at most 8 MiB of them are kept for the next texts. */
const freePieces: Piece[] = []
const mostFreePieces = 8_192

/**
 * The beginning of a text, as UTF-8. Kept as bytes, since thousands of short strings in open streams would
 * burden every garbage collection. The memory is reused by later texts: memory that is allocated for each
 * text and soon outgrown would make V8 collect its whole heap again and again.
 */
export class KeptText {
  readonly #full: Piece[] = []
  #last = takePiece()
  bytes = 0

  /** Returns true if the whole text was kept without computing its length; otherwise nothing was kept. */
  addShort(text: string): boolean {
    const { memory, bytes } = this.#last
    if (pieceBytes - bytes < text.length * mostBytesPerCharacter) return false
    const added = memory.write(text, bytes)
    this.#last.bytes += added
    this.bytes += added
    return true
  }

  /** Keeps as much of the text as fits, in complete characters. */
  add(text: string): void {
    for (let rest = text; ;) {
      const { memory, bytes } = this.#last
      const { read, written } = encoder.encodeInto(rest, memory.subarray(bytes))
      this.#last.bytes += written
      this.bytes += written
      rest = rest.slice(read)
      if (rest === '' || this.#full.length + 1 === mostPieces) return
      this.#full.push(this.#last)
      this.#last = takePiece()
    }
  }

  /** Keeps only this many bytes. */
  truncate(bytes: number): void {
    while (this.bytes > bytes) {
      const dropped = Math.min(this.#last.bytes, this.bytes - bytes)
      this.#last.bytes -= dropped
      this.bytes -= dropped
      if (this.#last.bytes > 0 || this.#full.length === 0) continue
      giveBack(this.#last)
      this.#last = this.#full.pop()!
    }
  }

  get text(): string {
    return [...this.#full, this.#last].map(({ memory, bytes }) => memory.toString('utf8', 0, bytes)).join('')
  }

  /** Releases its memory to later texts. It must not be used afterwards. */
  free(): void {
    for (const piece of this.#full) giveBack(piece)
    giveBack(this.#last)
  }
}

function takePiece(): Piece {
  return freePieces.pop() ?? { memory: Buffer.allocUnsafeSlow(pieceBytes), bytes: 0 }
}

function giveBack(piece: Piece): void {
  piece.bytes = 0
  if (freePieces.length < mostFreePieces) freePieces.push(piece)
}
