import { isOutput, outputIn, type BlockDelta, type BlockStart } from '@turnpike/protocol'
import type { OutputSeen } from '../../context/ending.ts'
import { KeptText } from './kept-text.ts'
import { PieceSample } from './piece-sample.ts'

/** The text that a stream has delivered, to count its tokens if nobody reports them. */
export class OutputText implements OutputSeen {
  #kept: KeptText | undefined
  /** A sample of the text after the kept beginning, which may differ from it. */
  #sample: PieceSample | undefined
  /** Of the whole text, as UTF-8. */
  bytes = 0
  /** Tokens of output that is not text. */
  textlessTokens = 0
  /** Part of the text is the model's reasoning. */
  reasoningSeen = false
  /** How much of the text the caller got. */
  #givenBytes = 0
  #givenTextless = 0
  /** The current block is the model's full reasoning. */
  #thinks = false
  /** Raw blocks that are not the model's output; few answers have any. */
  #asides: Set<string> | undefined

  /** An upper bound on the tokens: each takes at least one byte. */
  get mostTokens(): number {
    return this.bytes + this.textlessTokens
  }

  start(part: BlockStart): void {
    // Reasoning in a vendor's own format is a summary, or unreadable.
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

  /** The caller got all of it. */
  markDelivered(): void {
    this.#givenBytes = this.bytes
    this.#givenTextless = this.textlessTokens
  }

  /** Forgets what the caller did not get, since it is not charged. */
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

  /** A copy of the current state, which does not change. */
  snapshot(): OutputSeen {
    const { text, sample, bytes, textlessTokens, reasoningSeen } = this
    return { text, sample, bytes, textlessTokens, reasoningSeen }
  }

  /** Releases its memory to later texts. Call it only after the last use. */
  free(): void {
    this.#kept?.free()
    this.#kept = undefined
  }
}

function placeOf({ choice, block }: BlockStart | BlockDelta): string {
  return `${choice} ${block}`
}
