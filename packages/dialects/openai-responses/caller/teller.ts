import type { TextFrame } from '../../answers/text-frame.ts'
import { event, framedDelta } from './event.ts'

/** Writes the events of one stream, each with its number. All text is latin1. */
export class Teller {
  #next = 0

  tell(data: { type: string; [member: string]: unknown }): string {
    return event(data, this.#next++)
  }

  itemAdded(output_index: number, item: object): string {
    return this.tell({ type: 'response.output_item.added', output_index, item: { ...item } })
  }

  itemDone(output_index: number, item: object): string {
    return this.tell({ type: 'response.output_item.done', output_index, item })
  }

  tellText(frame: TextFrame, text: string): string {
    return framedDelta(frame, text, this.#next++)
  }
}
