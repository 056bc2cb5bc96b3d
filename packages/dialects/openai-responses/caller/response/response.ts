import type { BridgeHead } from '../../../bridge.ts'
import { contextOf } from './response-context.ts'

/**
 * The response object (https://platform.openai.com/docs/api-reference/responses/object), including what it
 * repeats from its request.
 * @param changed members that differ from those of a response which has just begun
 */
export function responseOf(
  head: BridgeHead,
  status: string,
  changed: Record<string, unknown>,
): Record<string, unknown> {
  return {
    id: head.id,
    object: 'response',
    created_at: Math.trunc(head.created),
    status,
    access_programs: null,
    background: false,
    error: null,
    incomplete_details: null,
    model: head.model,
    output: [],
    usage: null,
    ...contextOf(head).repeated,
    ...changed,
  }
}
