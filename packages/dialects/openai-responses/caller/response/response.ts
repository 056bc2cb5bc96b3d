import type { BridgeHead } from '../../../bridge.ts'
import { contextOf } from './response-context.ts'

/**
 * The response object (https://platform.openai.com/docs/api-reference/responses/object), with what repeats
 * its request.
 * @param told members that say something else than those of a response of which nothing is known yet
 */
export function responseOf(
  head: BridgeHead,
  status: string,
  told: Record<string, unknown>,
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
    ...told,
  }
}
