import { isOutput, outputIn, type BlockDelta, type BlockStart } from '@turnpike/protocol'
import type { OutputSeen } from '../../context/ending.ts'
import { KeptText } from './kept-text.ts'
import { PieceSample } from './piece-sample.ts'

/** The text that a stream has delivered, in case nobody reports how many tokens it was. */
export class OutputText implements OutputSeen {
  #kept: KeptText | undefined
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
    if (part.kind === 'raw' && !isOutput(part)) (this.#asides ??= new Set()).add(placeOf(part))
  }

  delta(part: BlockDelta): void {
    const { text } = part
    if (part.value !== undefined || text === '') return this.#further(part)
    this.add(text)
    if (this.#thinks) this.reasoningSeen = true
  }

  #further(part: BlockDelta): void {
    if (part.value !== undefined && this.#asides?.has(placeOf(part)) === true) return
    const { text, textlessTokens } = outputIn(part)
    if (text !== '') this.add(text)
    this.textlessTokens += textlessTokens
  }

  add(text: string): void {
    const kept = (this.#kept ??= new KeptText())
    const isWhole = kept.bytes === this.bytes
    if (isWhole && kept.addShort(text)) {
      this.bytes = kept.bytes
      return
    }
    this.bytes += Buffer.byteLength(text)
    if (isWhole) kept.add(text)
    if (kept.bytes < this.bytes) (this.#sample ??= new PieceSample()).add(text)
  }

  /** The caller was given all of it. */
  markDelivered(): void {
    this.#givenBytes = this.bytes
    this.#givenTextless = this.textlessTokens
  }

  /** What the caller was not given is forgotten: it is not charged. */
  forgetRest(): void {
    this.bytes = this.#givenBytes
    this.textlessTokens = this.#givenTextless
    this.#kept?.truncate(this.bytes)
  }

  get text(): string {
    return this.#kept?.text ?? ''
  }

  get sample(): string {
    return this.#sample?.text ?? ''
  }

  /** As it is now; itself it goes on to change. */
  snapshot(): OutputSeen {
    const { text, sample, bytes, textlessTokens, reasoningSeen } = this
    return { text, sample, bytes, textlessTokens, reasoningSeen }
  }

  /** Nothing more comes, and it was looked at for the last time: its memory is the next text's. */
  free(): void {
    this.#kept?.free()
    this.#kept = undefined
  }
}

function placeOf({ choice, block }: BlockStart | BlockDelta): string {
  return `${choice} ${block}`
}
