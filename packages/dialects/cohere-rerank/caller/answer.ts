import type { RerankRequest } from '@turnpike/protocol'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import type { Ranking } from '../../rerank/answer.ts'
import { formatBilledUnits, formatPricedUsage } from './usage.ts'

/** `{"id", "model", "results": [{"index", "relevance_score"}], "meta": {"billed_units"}, "usage"}` */
export function formatRanking(
  ranking: Pick<Ranking, 'results'>,
  { id, model }: BridgeHead,
  request: RerankRequest,
): FormattedAnswer {
  const results = formatResults(ranking, request)
  return (usage, cost) => ({
    id,
    model,
    results,
    ...(usage !== undefined && {
      meta: { api_version: { version: '2' }, billed_units: formatBilledUnits(usage) },
      usage: formatPricedUsage(usage, cost),
    }),
  })
}

/** The documents come from the caller's request, whether or not the vendor returns them. */
export function formatResults(
  { results }: Pick<Ranking, 'results'>,
  { documents, returnDocuments }: RerankRequest,
): object[] {
  return results.map(({ index, score }) => {
    const document = documents[index]!
    const text = typeof document === 'string' ? { text: document } : document
    return { index, relevance_score: score, ...(returnDocuments && { document: text }) }
  })
}
