import type { TextFrame } from '../../../answers/text-frame.ts'
import { event, frameDelta } from './event.ts'

/** Writes the events of one stream, each with its sequence number. All text is latin1. */
export class EventWriter {
  #next = 0

  write(data: { type: string; [member: string]: unknown }): string {
    return event(data, this.#next++)
  }

  itemAdded(output_index: number, item: object): string {
    return this.write({ type: 'response.output_item.added', output_index, item: { ...item } })
  }

  itemDone(output_index: number, item: object): string {
    return this.write({ type: 'response.output_item.done', output_index, item })
  }

  writeText(frame: TextFrame, text: string): string {
    return frameDelta(frame, text, this.#next++)
  }
}
