import type { RerankRequest } from '@turnpike/protocol'
import { textsOf } from '../../rerank/texts.ts'
import type { Target } from '../../vendor.ts'

/** Writes the body if the caller's format is another one. */
export function formatRequest(request: RerankRequest, { model }: Target): Record<string, unknown> {
  const { query, topN, maxTokensPerDocument, extensions } = request
  return {
    ...extensions,
    model,
    query,
    documents: textsOf(request),
    ...(topN !== undefined && { top_n: topN }),
    ...(maxTokensPerDocument !== undefined && { max_tokens_per_doc: maxTokensPerDocument }),
  }
}
