import type { FinishReason } from '@turnpike/protocol'

/**
 * https://ai.google.dev/api/generate-content#FinishReason, also by number, which Vertex sends if enumerations
 * are requested as integers. Every other reason (`OTHER`, `MALFORMED_FUNCTION_CALL`, `LANGUAGE`, `NO_IMAGE`,
 * …) means that there is no answer, without a cause that callers have a name for.
 */
const reasons: Record<string, FinishReason> = {
  STOP: 'stop',
  1: 'stop',
  MAX_TOKENS: 'length',
  2: 'length',
  // The limit of this request was reached; another could continue (`FinishReason` of @google/genai).
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

/** Google sends `STOP` after a call as well, so the answer's calls decide. */
export function parseFinishReason(raw: string, holdsCalls: boolean): FinishReason {
  const reason = Object.hasOwn(reasons, raw) ? reasons[raw]! : 'unknown'
  return reason === 'stop' && holdsCalls ? 'tool-calls' : reason
}
