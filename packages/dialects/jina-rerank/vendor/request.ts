import type { RerankRequest } from '@turnpike/protocol'
import { textsOf } from '../../rerank/texts.ts'
import type { Target } from '../../vendor.ts'

/** Documents are not asked to come back: the caller's own are at hand. */
export function formatRequest(request: RerankRequest, { model }: Target): Record<string, unknown> {
  const { query, topN, documents, extensions } = request
  return {
    ...extensions,
    model,
    query,
    documents: textsOf(request),
    ...(topN !== undefined && { top_n: Math.min(topN, documents.length) }),
    return_documents: false,
  }
}
