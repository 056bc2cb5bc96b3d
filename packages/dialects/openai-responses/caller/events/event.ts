import { frameText, textFrame, type TextFrame } from '../../../answers/text-frame.ts'
import { asBytes } from '../../../sse/parser.ts'

/** The place of a text delta in an answer. */
export interface TextPlace {
  type: string
  item_id: string
  output_index: number
  content_index?: number
  summary_index?: number
}

/** A frame for the deltas of one content part, which differ only in their text and sequence number. */
export function deltaFrame(place: TextPlace, more: object = {}): TextFrame {
  return textFrame((delta) => {
    const json = asBytes(JSON.stringify({ ...place, delta, ...more }))
    // The closing brace follows the number.
    return `event: ${place.type}\ndata: ${json.slice(0, -1)},"sequence_number":`
  })
}

/** An event in latin1. */
export function frameDelta(frame: TextFrame, text: string, sequenceNumber: number): string {
  return `${frameText(frame, text)}${sequenceNumber}}\n\n`
}

export function event(data: { type: string; [member: string]: unknown }, sequenceNumber: number): string {
  const json = asBytes(JSON.stringify({ ...data, sequence_number: sequenceNumber }))
  return `event: ${data.type}\ndata: ${json}\n\n`
}
