import type { BlockDelta, BlockStart } from './stream-part.ts'

/** What a part of an answer gives out: its text, and tokens that are none. */
export interface OutputContent {
  text: string
  /** Tokens of sound and pictures, and those that came as their probability alone. */
  textlessTokens: number
}

const nothing: OutputContent = { text: '', textlessTokens: 0 }

/** Raw blocks that tell of an answer; the model has not said them. */
const asides = new Set([
  'annotations',
  'channel',
  'citations',
  'container',
  'context_management',
  'echo',
  'search_results',
  'stop_details',
])
/** Google's words for such, and what vendors' own tools have found. */
const asideEndings = /(?:Attributions|Metadata|Ratings|_result)$/

/** Strings of a raw value that only label what stands beside them. */
const labels = new Set(['format', 'id', 'mimeType', 'mime_type', 'role', 'type'])

/** Base64 of a token of sound as vendors stream it: PCM of 24 kHz, 20 tokens a second. */
const charactersPerToken = 3_200
/** A shorter string without a space may be a word. */
const leastData = 256
const base64 = /^[\w+/=-]*$/

/** Whether the model has said what a raw block of this name holds. */
export function isOutput({ kind, name = '' }: Pick<BlockStart, 'kind' | 'name'>): boolean {
  return kind !== 'raw' || !(asides.has(name) || asideEndings.test(name))
}

/** Of a delta of a block that the model has said. */
export function outputIn({
  text,
  value,
  logprobs,
}: Pick<BlockDelta, 'text' | 'value' | 'logprobs'>): OutputContent {
  if (value !== undefined) return outputInValue(value)
  if (text !== '') return { text, textlessTokens: 0 }
  return logprobs === undefined ? nothing : { text, textlessTokens: 1 }
}

function outputInValue(value: unknown): OutputContent {
  const said: OutputContent = { text: '', textlessTokens: 0 }
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'string') addString(one, said)
    else if (Array.isArray(one)) open.push(...(one as unknown[]).toReversed())
    else if (typeof one === 'object' && one !== null)
      for (const [name, member] of Object.entries(one)) if (!labels.has(name)) open.push(member)
  }
  return said
}

function addString(string: string, said: OutputContent): void {
  if (string.startsWith('data:') || (string.length >= leastData && base64.test(string)))
    said.textlessTokens += Math.ceil(string.length / charactersPerToken)
  else said.text += string
}
