import type { BlockEnd, BlockStart } from '@turnpike/protocol'
import { emptyProof, formatProof } from '../../../answers/reasoning-proof.ts'
import type { TextFrame } from '../../../answers/text-frame.ts'
import type { ReasoningItem } from '../../items.ts'
import { reasoningFormat } from '../../reasoning-format.ts'
import { asksForSummary, type ResponseContext } from '../response/response-context.ts'
import { deltaFrame } from './event.ts'
import type { EventWriter } from './event-writer.ts'

/**
 * Reasoning of an answer. If its vendor signs or encrypts it, it becomes a summary with `encrypted_content`,
 * to be sent back unchanged. Reasoning that anyone may read in full becomes reasoning text, unless the caller
 * asked for a summary.
 */
export class OpenReasoning {
  readonly item: ReasoningItem
  readonly #start: BlockStart
  readonly #isSummary: boolean
  readonly #wantsProof: boolean
  readonly #index: number
  readonly #writer: EventWriter
  #frame: TextFrame | undefined
  #text = ''

  constructor(
    start: BlockStart,
    { id, index }: { id: string; index: number },
    context: ResponseContext,
    teller: EventWriter,
  ) {
    this.item = { type: 'reasoning', id, summary: [] }
    this.#start = start
    // Only a vendor that sends its full reasoning gives it no format.
    this.#isSummary = asksForSummary(context) || start.reasoning?.format !== undefined
    this.#wantsProof = context.wantsProof
    this.#index = index
    this.#writer = teller
  }

  begin(): string {
    return this.#writer.itemAdded(this.#index, this.item)
  }

  grow(text: string): string {
    const begun = this.#frame === undefined ? this.#beginText() : ''
    this.#text += text
    return begun + this.#writer.writeText(this.#frame!, text)
  }

  end(end: BlockEnd): string {
    const ended = this.#frame === undefined ? '' : this.#endText()
    const proof = formatProof(this.#start.reasoning, end, reasoningFormat)
    if (proof !== '') this.item.encrypted_content = proof
    else if (this.#wantsProof) this.item.encrypted_content = emptyProof
    return ended + this.#writer.itemDone(this.#index, this.item)
  }

  #beginText(): string {
    if (this.#isSummary) {
      this.#frame = deltaFrame(this.#place('response.reasoning_summary_text.delta'))
      const part = { type: 'summary_text', text: '' }
      return this.#writer.write({ ...this.#place('response.reasoning_summary_part.added'), part })
    }
    this.#frame = deltaFrame(this.#place('response.reasoning_text.delta'))
    const part = { type: 'reasoning_text', text: '' }
    return this.#writer.write({ ...this.#place('response.content_part.added'), part })
  }

  #endText(): string {
    const text = this.#text
    if (this.#isSummary) {
      const part = { type: 'summary_text' as const, text }
      this.item.summary = [part]
      return (
        this.#writer.write({ ...this.#place('response.reasoning_summary_text.done'), text }) +
        this.#writer.write({ ...this.#place('response.reasoning_summary_part.done'), part })
      )
    }
    const part = { type: 'reasoning_text' as const, text }
    this.item.content = [part]
    return (
      this.#writer.write({ ...this.#place('response.reasoning_text.done'), text }) +
      this.#writer.write({ ...this.#place('response.content_part.done'), part })
    )
  }

  #place(type: string): { type: string; item_id: string; output_index: number } {
    const part = this.#isSummary ? { summary_index: 0 } : { content_index: 0 }
    return { type, item_id: this.item.id, output_index: this.#index, ...part }
  }
}
