import type { FinishReason } from '@turnpike/protocol'

/** OpenAI's names for why an answer is incomplete. */
export type IncompleteReason = 'max_output_tokens' | 'content_filter'

const reasons: Partial<Record<FinishReason, IncompleteReason>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

/** Undefined for a complete answer. */
export function incompleteReason(finish: FinishReason): IncompleteReason | undefined {
  return reasons[finish]
}
