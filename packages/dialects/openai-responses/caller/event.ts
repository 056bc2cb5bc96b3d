import { asBytes } from '../../sse/parser.ts'

/** Where in an answer a delta of text belongs. */
export interface TextPlace {
  type: string
  item_id: string
  output_index: number
  content_index?: number
  summary_index?: number
}

/** An event of a text but for the text itself and its number, which are all that differ within one part. */
export interface TextFrame {
  before: string
  after: string
}

/** A text that no event holds, in whose place others go. */
const placeholder = '\0text\0'

export function textFrame(place: TextPlace, more: object = {}): TextFrame {
  const json = asBytes(JSON.stringify({ ...place, delta: placeholder, ...more }))
  const at = json.indexOf(JSON.stringify(placeholder))
  const behind = at + JSON.stringify(placeholder).length
  return {
    before: `event: ${place.type}\ndata: ${json.slice(0, at)}`,
    // The closing brace comes behind the number.
    after: `${json.slice(behind, -1)},"sequence_number":`,
  }
}

/** One event in latin1; `json` of the text is ASCII or what `asBytes` makes of it. */
export function framedText({ before, after }: TextFrame, text: string, sequenceNumber: number): string {
  return `${before}${asBytes(JSON.stringify(text))}${after}${sequenceNumber}}\n\n`
}

export function event(data: { type: string; [member: string]: unknown }, sequenceNumber: number): string {
  const json = asBytes(JSON.stringify({ ...data, sequence_number: sequenceNumber }))
  return `event: ${data.type}\ndata: ${json}\n\n`
}
