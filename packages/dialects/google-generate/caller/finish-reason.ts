import type { FinishReason } from '@turnpike/protocol'

/** https://ai.google.dev/api/generate-content#FinishReason. Function calls have no reason of their own. */
const words: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  unknown: 'OTHER',
}

export function formatFinishReason(reason: FinishReason): string {
  return words[reason]
}
