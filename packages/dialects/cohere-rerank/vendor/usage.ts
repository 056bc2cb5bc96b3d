import type { RerankRequest, Usage } from '@turnpike/protocol'
import { isMiscount, tokenCount } from '../../answers/token-count.ts'
import { isObject } from '../../json/object.ts'
import { mostSearchUnits, estimateSearchUnits } from '../../rerank/search-units.ts'

/**
 * `{"billed_units": {"search_units": 1}}`. Where none are told, or some that the request cannot have come to,
 * they are reckoned from its size: a ranking is never free by the vendor's silence.
 */
export function parseUsage(raw: unknown, request: RerankRequest): Usage {
  const billed = isObject(raw) ? raw['billed_units'] : undefined
  const told: unknown = isObject(billed) ? billed['search_units'] : undefined
  const units = tokenCount(told)
  if (units !== undefined && units > 0 && units <= mostSearchUnits(request))
    return { searchUnits: units, raw }
  const usage: Usage = { searchUnits: estimateSearchUnits(request), estimated: true, raw }
  return units !== undefined || isMiscount(told) ? { ...usage, disbelieved: 'implausible' } : usage
}
