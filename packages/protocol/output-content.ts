import type { BlockDelta, BlockStart } from './stream-part.ts'

/** The output in a part of an answer: its text, and tokens that are not text. */
export interface OutputContent {
  text: string
  /** Tokens of audio and images, and tokens that arrived only as their probability. */
  textlessTokens: number
}

const nothing: OutputContent = { text: '', textlessTokens: 0 }

/** Raw blocks that describe an answer and are not the model's own output. */
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
/** Google's names for such blocks, and results of vendor-run tools. */
const asideEndings = /(?:Attributions|Metadata|Ratings|_result)$/

/** Strings in a raw value that only label other members. */
const labels = new Set(['format', 'id', 'mimeType', 'mime_type', 'role', 'type'])

/** Base64 characters per token of audio as vendors stream it: PCM of 24 kHz, 20 tokens a second. */
const charactersPerToken = 3_200
/** A shorter string without a space may be a word. */
const leastData = 256
const base64 = /^[\w+/=-]*$/

/** Whether a raw block of this name contains the model's own output. */
export function isOutput({ kind, name = '' }: Pick<BlockStart, 'kind' | 'name'>): boolean {
  return kind !== 'raw' || !(asides.has(name) || asideEndings.test(name))
}

/** The output in a delta of a block that the model wrote. */
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
  const content: OutputContent = { text: '', textlessTokens: 0 }
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'string') addString(one, content)
    else if (Array.isArray(one)) open.push(...(one as unknown[]).toReversed())
    else if (typeof one === 'object' && one !== null)
      for (const [name, member] of Object.entries(one)) if (!labels.has(name)) open.push(member)
  }
  return content
}

function addString(string: string, content: OutputContent): void {
  if (string.startsWith('data:') || (string.length >= leastData && base64.test(string)))
    content.textlessTokens += Math.ceil(string.length / charactersPerToken)
  else content.text += string
}
