import type { RerankRequest, Usage } from '@turnpike/protocol'
import { isMiscount, tokenCount } from '../../answers/token-count.ts'
import { isObject } from '../../json/object.ts'
import { mostSearchUnits, estimateSearchUnits } from '../../rerank/search-units.ts'

/**
 * Reads `{"billed_units": {"search_units": 1}}`. If there are none, or implausibly many, they are estimated
 * from the size of the request: a vendor's silence does not make a ranking free.
 */
export function parseUsage(raw: unknown, request: RerankRequest): Usage {
  const billed = isObject(raw) ? raw['billed_units'] : undefined
  const reportedUnits: unknown = isObject(billed) ? billed['search_units'] : undefined
  const units = tokenCount(reportedUnits)
  if (units !== undefined && units > 0 && units <= mostSearchUnits(request))
    return { searchUnits: units, raw }
  const usage: Usage = { searchUnits: estimateSearchUnits(request), estimated: true, raw }
  return units !== undefined || isMiscount(reportedUnits) ? { ...usage, disbelieved: 'implausible' } : usage
}
