import type { RerankRequest } from '@turnpike/protocol'
import { withoutWithheld } from '../../answers/withheld-members.ts'
import { isObject } from '../../json/object.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import type { Ranking } from '../../rerank/answer.ts'
import { formatResults } from '../caller/answer.ts'
import { formatBilledUnits, formatPricedUsage } from '../caller/usage.ts'

/** A whole answer with our model, usage and order of results, and the vendor's other members for callers. */
export function patchAnswer(
  ranking: Ranking,
  { id, model }: BridgeHead,
  request: RerankRequest,
): FormattedAnswer {
  const raw = withoutWithheld(ranking.raw)
  const meta = isObject(raw['meta']) ? raw['meta'] : {}
  const results = formatResults(ranking, request)
  return (usage, cost) => ({
    ...raw,
    id: typeof raw['id'] === 'string' ? raw['id'] : id,
    model,
    results,
    ...(usage !== undefined && {
      meta: { ...meta, billed_units: formatBilledUnits(usage) },
      usage: formatPricedUsage(usage, cost),
    }),
  })
}
