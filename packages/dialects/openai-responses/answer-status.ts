import type { FinishReason } from '@turnpike/protocol'

/** Why an answer is not whole, in OpenAI's words. */
export type IncompleteReason = 'max_output_tokens' | 'content_filter'

const reasons: Partial<Record<FinishReason, IncompleteReason>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

/** Undefined for an answer that is whole. */
export function incompleteReason(finish: FinishReason): IncompleteReason | undefined {
  return reasons[finish]
}
