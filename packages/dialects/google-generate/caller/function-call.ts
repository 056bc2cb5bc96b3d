import type { ToolCallHead } from '@turnpike/protocol'
import { parseJson } from '../../json/parse-json.ts'
import { thoughtMark } from '../../requests/thoughts-in-ids.ts'
import { parseToolCallId } from '../tool-call-id.ts'

/**
 * Writes a call as a part. Its arguments are an object, or wrap text that could not be parsed as one. If its
 * id contains a signature of Google's, that gets its own member again.
 */
export function functionCall(head: ToolCallHead | undefined, text: string): Record<string, unknown> {
  const { id = '', name = '' } = head ?? {}
  const call = { ...(id === '' ? {} : { id }), name, args: argumentsOf(text) }
  if (!id.includes(thoughtMark)) return { functionCall: call }
  const { googleId, thoughtSignature } = parseToolCallId(id)
  const ownId = googleId ?? id.slice(0, id.indexOf(thoughtMark))
  return { functionCall: { ...call, id: ownId }, thoughtSignature }
}

function argumentsOf(text: string): unknown {
  if (text.trim() === '') return {}
  const args = parseJson(text)
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { INVALID_JSON: text }
}
