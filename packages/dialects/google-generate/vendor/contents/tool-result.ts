import type { ContentBlock, Message } from '@turnpike/protocol'
import { isObject } from '../../../json/object.ts'
import { parseJson } from '../../../json/parse-json.ts'
import type { GeminiTraits } from '../../../model-traits.ts'
import { Positions } from '../../../requests/fields/requested-message-fields.ts'
import { formatMedia, type MediaBlock, type Part } from './media.ts'
import { parseToolCallId } from '../../tool-call-id.ts'

/** A call of an earlier turn, with what its result must name. */
export interface EarlierCall {
  id: string
  name: string
}

/** A result, and its path in the caller's messages. */
export interface ToolResult {
  message: Extract<Message, { role: 'tool' }>
  path: string
}

/**
 * Media types that the third generation accepts within a result
 * (https://ai.google.dev/gemini-api/docs/function-calling).
 */
const innerTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain'])

/**
 * Writes the result of a call, and media that go beside it as the user's, since older models accept none
 * within. A call without a result gets one that says so, since Google requires one for each.
 */
export function formatToolResult(
  call: EarlierCall,
  result: ToolResult | undefined,
  model: GeminiTraits,
): { part: Part; beside: Part[] } {
  const { googleId } = parseToolCallId(call.id)
  const head = { ...(googleId === undefined ? {} : { id: googleId }), name: call.name }
  if (result === undefined) {
    const response = { error: 'No result was given for this call.' }
    return { part: { functionResponse: { ...head, response } }, beside: [] }
  }
  const { message, path } = result
  const within: Part[] = []
  const beside: Part[] = []
  const positions = new Positions(path)
  for (const block of message.content) {
    const at = positions.of(block)
    if (!isMedia(block)) continue
    const part = formatMedia(block, at)
    const inner = model.mediaInResults && innerTypes.has(inlineType(part))
    ;(inner ? within : beside).push(part)
  }
  if (beside.length > 0) beside.unshift({ text: `Given with the result of ${call.name}:` })
  const parts = within.length === 0 ? {} : { parts: within }
  return { part: { functionResponse: { ...head, response: responseOf(message), ...parts } }, beside }
}

/** The text of a result. */
export function resultText({ content }: ToolResult['message']): string {
  const texts = content.map((block) => (block.kind === 'text' || block.kind === 'refusal' ? block.text : ''))
  return texts.filter((text) => text !== '').join('\n')
}

/** An object or list is sent as such, anything else as text. */
function responseOf(message: ToolResult['message']): Record<string, unknown> {
  const text = resultText(message)
  if (message.failed === true) return { error: text }
  const value = parseStructure(text)
  // These two names have a meaning of their own in a response.
  const plain = isObject(value) && !Object.hasOwn(value, 'output') && !Object.hasOwn(value, 'error')
  return plain ? value : { output: value ?? text }
}

/** Numbers too long for Google's, and `$ref`, which has a meaning of its own there: both stay text. */
const notForGoogle = /\d{16}|"\$ref"/

function parseStructure(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || notForGoogle.test(text)) return undefined
  return parseJson(text)
}

function inlineType(part: Part): string {
  return (part['inlineData'] as { mimeType?: string } | undefined)?.mimeType ?? ''
}

export function isMedia(block: ContentBlock): block is MediaBlock {
  return block.kind === 'image' || block.kind === 'audio' || block.kind === 'document'
}
