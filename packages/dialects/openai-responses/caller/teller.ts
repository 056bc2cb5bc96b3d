import { event, framedText, type TextFrame } from './event.ts'

/** Writes the events of one stream, each with its number. All text is latin1. */
export class Teller {
  #next = 0

  tell(data: { type: string; [member: string]: unknown }): string {
    return event(data, this.#next++)
  }

  tellText(frame: TextFrame, text: string): string {
    return framedText(frame, text, this.#next++)
  }
}
