import { asBytes } from '../sse/parser.ts'

/** What stands around a piece of text in events of one answer that differ in nothing else, latin1. */
export interface TextFrame {
  before: string
  after: string
}

/** A text that no event holds, in whose place others go. */
const placeholder = '\0text\0'
const placeholderJson = JSON.stringify(placeholder)

/** @param written the whole of an event that says this text, in latin1 */
export function textFrame(written: (text: string) => string): TextFrame {
  const event = written(placeholder)
  const at = event.indexOf(placeholderJson)
  return { before: event.slice(0, at), after: event.slice(at + placeholderJson.length) }
}

/** The event that says this text, in latin1. */
export function frameText({ before, after }: TextFrame, text: string): string {
  return before + asBytes(JSON.stringify(text)) + after
}
