import { isSaid, saidIn, type BlockDelta, type BlockStart } from '@turnpike/protocol'
import type { OutputSeen } from '../../context/ending.ts'
import { PieceSample } from './piece-sample.ts'

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
  /** Of what came behind it, which need not be like the beginning. */
  #sample: PieceSample | undefined
  /** Of the whole text, as UTF-8. */
  bytes = 0
  /** Tokens besides, that are no text. */
  textlessTokens = 0
  /** Some of it is what the model thought. */
  reasoningSeen = false
  /** As much of it as the caller was given. */
  #givenBytes = 0
  #givenTextless = 0
  /** The block that comes is what the model thinks, in full. */
  #thinks = false
  /** Raw blocks that the model has not said: few answers have any. */
  #asides: Set<string> | undefined

  /** No answer that says so much has more tokens: each takes a byte at least. */
  get mostTokens(): number {
    return this.bytes + this.textlessTokens
  }

  start(part: BlockStart): void {
    // Reasoning in a format of its own is a summary, or nothing that can be read.
    this.#thinks = part.kind === 'reasoning' && part.reasoning?.format === undefined
    if (part.toolCall !== undefined) this.add(part.toolCall.name)
    if (part.kind === 'raw' && !isSaid(part)) (this.#asides ??= new Set()).add(placeOf(part))
  }

  delta(part: BlockDelta): void {
    const { text } = part
    if (part.value !== undefined || text === '') return this.#further(part)
    this.add(text)
    if (this.#thinks) this.reasoningSeen = true
  }

  #further(part: BlockDelta): void {
    if (part.value !== undefined && this.#asides?.has(placeOf(part)) === true) return
    const { text, textlessTokens } = saidIn(part)
    if (text !== '') this.add(text)
    this.textlessTokens += textlessTokens
  }

  add(text: string): void {
    const whole = this.#keptBytes === this.bytes
    // UTF-8 has at most three bytes a character of ours: mostly they need not be counted first.
    if (whole && this.#kept !== undefined && this.#kept.length - this.#keptBytes >= text.length * 3) {
      this.#keptBytes += this.#kept.write(text, this.#keptBytes)
      this.bytes = this.#keptBytes
      return
    }
    const bytes = Buffer.byteLength(text)
    const kept = whole ? this.#withRoomFor(bytes).write(text, this.#keptBytes) : 0
    this.#keptBytes += kept
    this.bytes += bytes
    if (kept < bytes) (this.#sample ??= new PieceSample()).add(text)
  }

  /** The caller was given all of it. */
  given(): void {
    this.#givenBytes = this.bytes
    this.#givenTextless = this.textlessTokens
  }

  /** What the caller was not given is forgotten: it is not charged. */
  forgetRest(): void {
    this.bytes = this.#givenBytes
    this.textlessTokens = this.#givenTextless
    if (this.#keptBytes > this.bytes) this.#keptBytes = this.bytes
  }

  get text(): string {
    return this.#kept?.toString('utf8', 0, this.#keptBytes) ?? ''
  }

  get sample(): string {
    return this.#sample?.text ?? ''
  }

  /** As it is now; itself it goes on to change. */
  seen(): OutputSeen {
    const { text, sample, bytes, textlessTokens, reasoningSeen } = this
    return { text, sample, bytes, textlessTokens, reasoningSeen }
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

function placeOf({ choice, block }: BlockStart | BlockDelta): string {
  return `${choice} ${block}`
}
