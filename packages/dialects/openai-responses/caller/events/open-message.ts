import type { BlockDelta } from '@turnpike/protocol'
import type { TextFrame } from '../../../answers/text-frame.ts'
import type { ItemStatus, MessageItem, OutputRefusal, OutputText } from '../../items.ts'
import { logprobsIn } from '../annotations.ts'
import { deltaFrame } from './event.ts'
import type { EventWriter } from './event-writer.ts'

/** An open message of an answer. Consecutive texts and refusals are its content parts. */
export class OpenMessage {
  readonly item: MessageItem
  readonly #index: number
  readonly #writer: EventWriter
  #frame: TextFrame | undefined

  constructor(id: string, index: number, teller: EventWriter) {
    this.item = { type: 'message', id, status: 'in_progress', role: 'assistant', content: [] }
    this.#index = index
    this.#writer = teller
  }

  begin(): string {
    return this.#writer.itemAdded(this.#index, this.item)
  }

  beginPart(kind: 'text' | 'refusal', annotations: readonly unknown[]): string {
    const { content } = this.item
    const part: OutputText | OutputRefusal =
      kind === 'text'
        ? { type: 'output_text', text: '', annotations: [], logprobs: [] }
        : { type: 'refusal', refusal: '' }
    content.push(part)
    const place = this.#place(kind === 'text' ? 'response.output_text.delta' : 'response.refusal.delta')
    this.#frame = deltaFrame(place, kind === 'text' ? { logprobs: [] } : {})
    const added = this.#writer.write({ ...this.#place('response.content_part.added'), part })
    return added + annotations.map((one) => this.annotate(one)).join('')
  }

  grow({ text, logprobs }: BlockDelta): string {
    const part = this.item.content.at(-1)!
    if (part.type === 'refusal') {
      part.refusal += text
      return this.#writer.writeText(this.#frame!, text)
    }
    part.text += text
    if (logprobs === undefined) return this.#writer.writeText(this.#frame!, text)
    const entries = logprobsIn(logprobs)
    part.logprobs.push(...entries)
    return this.#writer.write({
      ...this.#place('response.output_text.delta'),
      delta: text,
      logprobs: entries,
    })
  }

  /** The latest text; undefined if there is none to annotate. */
  get annotated(): OutputText | undefined {
    const part = this.item.content.at(-1)
    return part?.type === 'output_text' ? part : undefined
  }

  annotate(annotation: unknown): string {
    const part = this.annotated!
    part.annotations.push(annotation)
    return this.#writer.write({
      ...this.#place('response.output_text.annotation.added'),
      annotation_index: part.annotations.length - 1,
      annotation,
    })
  }

  endPart(): string {
    const part = this.item.content.at(-1)!
    const done =
      part.type === 'refusal'
        ? { ...this.#place('response.refusal.done'), refusal: part.refusal }
        : { ...this.#place('response.output_text.done'), text: part.text, logprobs: part.logprobs }
    return (
      this.#writer.write(done) + this.#writer.write({ ...this.#place('response.content_part.done'), part })
    )
  }

  end(status: ItemStatus): string {
    this.item.status = status
    return this.#writer.itemDone(this.#index, this.item)
  }

  #place(type: string): { type: string; item_id: string; output_index: number; content_index: number } {
    return {
      type,
      item_id: this.item.id,
      output_index: this.#index,
      content_index: this.item.content.length - 1,
    }
  }
}
