import type { RerankRequest } from '@turnpike/protocol'
import { textsOf } from '../../rerank/texts.ts'
import type { Target } from '../../vendor.ts'

export function formatRequest(request: RerankRequest, { model }: Target): Record<string, unknown> {
  const { query, topN, documents } = request
  return {
    model,
    query,
    documents: textsOf(request),
    ...(topN !== undefined && { top_k: Math.min(topN, documents.length) }),
    return_documents: false,
  }
}
