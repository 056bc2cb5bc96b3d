import type { FinishReason } from '@turnpike/protocol'

/**
 * https://ai.google.dev/api/generate-content#FinishReason, by number too, as Vertex gives them where
 * enumerations are asked for as integers. Every other word (`OTHER`, `MALFORMED_FUNCTION_CALL`, `LANGUAGE`,
 * `NO_IMAGE`, …) says that there is no answer, and not why in any word that callers know.
 */
const reasons: Record<string, FinishReason> = {
  STOP: 'stop',
  1: 'stop',
  MAX_TOKENS: 'length',
  2: 'length',
  // The bound of one request was met, and another one could go on (`FinishReason` of @google/genai).
  CONTINUATION: 'length',
  SAFETY: 'content-filter',
  3: 'content-filter',
  RECITATION: 'content-filter',
  4: 'content-filter',
  BLOCKLIST: 'content-filter',
  6: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  7: 'content-filter',
  SPII: 'content-filter',
  8: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  MODEL_ARMOR: 'content-filter',
}

/** Google says `STOP` after a call as well: that the answer holds one is what tells. */
export function parseFinishReason(raw: string, holdsCalls: boolean): FinishReason {
  const reason = Object.hasOwn(reasons, raw) ? reasons[raw]! : 'unknown'
  return reason === 'stop' && holdsCalls ? 'tool-calls' : reason
}
