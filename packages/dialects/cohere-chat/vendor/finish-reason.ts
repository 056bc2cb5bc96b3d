import type { FinishReason } from '@turnpike/protocol'

/** https://docs.cohere.com/reference/chat#response.body.finish_reason */
const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'content-filter',
}

export function parseFinishReason(raw: string): FinishReason {
  return Object.hasOwn(reasons, raw) ? reasons[raw]! : 'unknown'
}
