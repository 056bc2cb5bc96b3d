import { beginningOf, ownBytes } from './blobs.ts'
import type { Budget } from './budget.ts'

/** Streamed answers are copied into blocks of this size: the strings may keep larger ones alive. */
const pieceBytes = 16 * 1024

/** What was captured of one side of a request. */
export interface CapturedSide {
  /** Undefined if nothing was captured, or there was no room for it. */
  bytes: Buffer | undefined
  /** Of the whole body. */
  length: number
  /** The end is missing. */
  cut: boolean
}

/** Captures a bounded part of a request and its answer as they pass. */
export class Capture {
  readonly #budget: Budget
  readonly #mostBytes: number
  readonly #pieces: Buffer[] = []
  #room = 0
  #taken = 0
  readonly body: CapturedSide = { bytes: undefined, length: 0, cut: false }
  readonly answer: CapturedSide = { bytes: undefined, length: 0, cut: false }
  /** Of the answer; undefined if it had not begun. */
  status: number | undefined
  isStream = false

  /** @param mostBytes the limit for the request, and for the answer */
  constructor(budget: Budget, mostBytes: number) {
    this.#budget = budget
    this.#mostBytes = mostBytes
  }

  takeBody(body: Buffer): void {
    this.#takeWhole(this.body, body)
  }

  takeAnswer(status: number, body: string | Buffer): void {
    this.status = status
    this.#takeWhole(this.answer, typeof body === 'string' ? Buffer.from(body) : body)
  }

  startStream(status: number): void {
    this.status = status
    this.isStream = true
  }

  /** Adds to a streamed answer, one character a byte. */
  takeEvents(latin1: string): void {
    const { answer } = this
    answer.length += latin1.length
    if (answer.cut) return
    let at = 0
    while (at < latin1.length) {
      if (this.#room === 0 && !this.#grow()) {
        answer.cut = true
        return
      }
      const fits = Math.min(this.#room, latin1.length - at)
      const text = at === 0 && fits === latin1.length ? latin1 : latin1.slice(at, at + fits)
      this.#pieces.at(-1)!.write(text, pieceBytes - this.#room, 'latin1')
      this.#room -= fits
      at += fits
    }
  }

  /** Joins everything into one buffer, and stops capturing. */
  close(): void {
    if (this.#pieces.length > 0)
      this.answer.bytes = ownBytes(this.#pieces, this.#pieces.length * pieceBytes - this.#room)
    this.#pieces.length = 0
  }

  /** Releases its memory. */
  release(): void {
    this.#budget.giveBack(this.#taken)
    this.#taken = 0
  }

  #grow(): boolean {
    if ((this.#pieces.length + 1) * pieceBytes > this.#mostBytes || !this.#take(pieceBytes)) return false
    this.#pieces.push(Buffer.allocUnsafeSlow(pieceBytes))
    this.#room = pieceBytes
    return true
  }

  #takeWhole(seen: CapturedSide, whole: Buffer): void {
    seen.length = whole.length
    seen.cut = true
    if (!this.#take(Math.min(whole.length, this.#mostBytes))) return
    const { bytes, cut } = beginningOf(whole, this.#mostBytes)
    seen.bytes = bytes
    seen.cut = cut
  }

  #take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false
    this.#taken += bytes
    return true
  }
}
