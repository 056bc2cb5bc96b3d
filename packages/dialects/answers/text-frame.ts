import { asBytes } from '../sse/parser.ts'

/** The characters around the text, in events of one answer that differ only in their text. Latin1. */
export interface TextFrame {
  before: string
  after: string
}

/** A text that no event contains, to find where the real text goes. */
const placeholder = '\0text\0'
const placeholderJson = JSON.stringify(placeholder)

/** @param written writes a complete event with this text, in latin1 */
export function textFrame(written: (text: string) => string): TextFrame {
  const event = written(placeholder)
  const at = event.indexOf(placeholderJson)
  return { before: event.slice(0, at), after: event.slice(at + placeholderJson.length) }
}

/** The event with this text, in latin1. */
export function frameText({ before, after }: TextFrame, text: string): string {
  return before + asBytes(JSON.stringify(text)) + after
}
