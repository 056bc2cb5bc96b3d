import {
  mostSearchUnits,
  readRanking,
  estimateSearchUnits,
  rerankWords,
  vendorFormats,
  type Call,
} from '@turnpike/dialects'
import type { RerankRequest } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'
import type { Candidate } from '../../candidates/candidate.ts'
import { nothingWritten } from '../nothing-written.ts'
import type { OperationRules, ServiceRules } from '../rules.ts'
import { estimate, inputSeen, mostInputTokens, quotable } from './input.ts'

/** What vendors bill for a ranking instead of tokens. */
const services: ServiceRules<RerankRequest, Call<RerankRequest>> = {
  listServices: ({ call }, { provider }) =>
    billsSearches(provider) ? { searchUnits: mostSearchUnits(call.request) } : {},
  mostUses: () => 0,
  withUses: (request) => request,
  mostReadings: () => 1,
  readsOn: () => false,
  findUnpriced: () => undefined,
  unpaid: () => [],
  estimateUsage: (request, provider) =>
    billsSearches(provider) ? { searchUnits: estimateSearchUnits(request) } : undefined,
}

/** Ranks documents by their relevance to a query: no output tokens. */
export const rerank: OperationRules<RerankRequest, Call<RerankRequest>> = {
  spanName: 'rerank',
  ...nothingWritten,
  fieldRules: rerankWords,
  isPriced,
  estimate,
  mostInputTokens,
  texts: inputSeen,
  quotable,
  services,
  readWhole: readRanking,
}

/** A price per search unit does not cover tokens, nor the other way round. */
function isPriced({ provider, prices: { pricing } }: Candidate): boolean {
  if (billsSearches(provider)) return pricing.search_unit !== undefined
  return pricing.search_unit === undefined || isNothing(pricing.search_unit)
}

function isNothing(price: string): boolean {
  return /^0*\.?0*$/.test(price)
}

function billsSearches({ format }: Provider): boolean {
  return vendorFormats[format].operations.rerank?.unit === 'search_unit'
}
