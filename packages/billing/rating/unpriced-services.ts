import type { SinglePrices, Usage } from '@turnpike/protocol'
import type { PriceTable } from './price-table.ts'

/** Vendors' tiers that cost no more than the plain price, or are paid in advance. */
const tiersAtPlainPrice: ReadonlySet<string> = new Set([
  'auto',
  'default',
  'standard',
  'on_demand',
  'on_demand_flex',
  'provisioned_throughput',
  'scale',
  'flex',
  'batch',
])

/** Items that the vendor has billed, but this table has no price for. */
export function findUnpriced(usage: Usage, table: PriceTable): readonly string[] {
  return isPlain(usage) ? noServices : findFurtherUnpriced(usage, table)
}

const noServices: readonly string[] = []

/** Whether usage consists of text tokens only, as it nearly always does. */
function isPlain({
  unpriced,
  serviceTier,
  webSearches,
  citationTokens,
  searchUnits,
  outputAudioTokens,
  outputImageTokens,
}: Usage): boolean {
  const isTextAlone = outputAudioTokens === undefined && outputImageTokens === undefined
  const isTokensAlone = webSearches === undefined && citationTokens === undefined && searchUnits === undefined
  return unpriced === undefined && serviceTier === undefined && isTextAlone && isTokensAlone
}

function findFurtherUnpriced(usage: Usage, { pricing, tiers }: PriceTable): string[] {
  const unpriced = [...(usage.unpriced ?? [])]
  const tier = usage.serviceTier?.toLowerCase()
  if (tier !== undefined && !tiersAtPlainPrice.has(tier) && tiers?.has(tier) !== true)
    unpriced.push('service_tier')
  // A per-request fee pays for the searches.
  const isPaid = paysSearches(pricing) || pricing.request !== undefined
  if (isSome(usage.webSearches) && !isPaid) unpriced.push('web_search')
  if (isSome(usage.searchUnits) && pricing.search_unit === undefined) unpriced.push('search_unit')
  if (isSome(usage.citationTokens) && pricing.citation === undefined) unpriced.push('citation')
  if (isSome(usage.outputAudioTokens) && pricing.audio_output === undefined) unpriced.push('audio_output')
  if (isSome(usage.outputImageTokens) && pricing.image_output === undefined) unpriced.push('image_output')
  return unpriced
}

/** Whether the model has a price for web searches. */
export function paysSearches({ web_search: each, grounded_prompt: together }: SinglePrices): boolean {
  return each !== undefined || together !== undefined
}

function isSome(count: number | undefined): boolean {
  return count !== undefined && count > 0
}
