import type { RerankRequest } from '@turnpike/protocol'
import { textsOf } from '../../rerank/texts.ts'
import type { Target } from '../../vendor.ts'

/** Does not ask for the documents: the caller's own are available. */
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
