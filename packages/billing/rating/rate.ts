import { totalInputTokens, usageBuckets, type InputBucket, type Usage } from '@turnpike/protocol'
import { larger, priceScale, type PriceBand, type PriceTable } from './price-table.ts'

const picoScale = 12

/** The amounts of a request, in pico-USD. */
export interface Rated {
  /** What the caller pays. */
  chargePico: bigint
  /** What the operator owes the vendor: the same usage at the same prices, without the markup. */
  vendorCostPico: bigint
  /** What the owner of a vendor key owes: the list price, null without one. Absent: the operator pays. */
  ownCostPico?: bigint | null
}

/**
 * Each bucket once at its price, plus the per-request fee. The charge is that sum times the markup, and the
 * vendor cost is the sum itself. Each is rounded half up once, at the very end, so they are equal at a markup
 * of 1. If the caller pays the vendor with a key of their own, the operator owes nothing.
 */
export function rateBoth(usage: Usage, table: PriceTable): Rated {
  const sum = priceSum(usage, table)
  const chargePico = toPico(sum, table)
  if (table.own !== undefined) {
    const ownCostPico = table.own === 'unpriced' ? null : divideRounding(sum, pricesPerPico)
    return { chargePico, vendorCostPico: 0n, ownCostPico }
  }
  return { chargePico, vendorCostPico: isUnmarked(table) ? chargePico : divideRounding(sum, pricesPerPico) }
}

/** Only the charge. */
export function rate(usage: Usage, table: PriceTable): bigint {
  return toPico(priceSum(usage, table), table)
}

/** In 10^-18 USD, before markup and rounding. */
function priceSum(usage: Usage, table: PriceTable): bigint {
  const bands = bandsOf(table, usage.serviceTier)
  const prices = bands.length === 1 ? bands[0]! : bandFor(bands, longestPrompt(usage))
  let sum = prices.perRequest
  for (const bucket of usageBuckets) {
    const count = usage[bucket]
    if (count !== undefined && count !== 0) sum += BigInt(count) * prices.perUnit[bucket]
  }
  return (usage.webSearches ?? 0) > 0 ? sum + prices.perGroundedPrompt : sum
}

function longestPrompt(usage: Usage): number {
  return usage.longestPromptTokens ?? totalInputTokens(usage)
}

/** Services that a request may use and that plain token prices do not cover. */
export interface RequestedServices {
  /** The service tier, by the vendor's name. */
  tier?: string
  /** How often the vendor may search the web for it. */
  webSearches?: number
  /** Search units that a ranking may be billed for. */
  searchUnits?: number
  /** Output buckets besides text and reasoning. */
  furtherOutput?: readonly ('outputAudioTokens' | 'outputImageTokens')[]
  /** Output tokens beyond the bound: rejected tokens of a prediction, or a summary. */
  moreOutputTokens?: number
  /** How often the model may read its whole input, if the vendor's own tools let it continue. */
  readings?: number
  /** Input tokens added by such tools, for all readings. */
  moreInputTokens?: number
}

const plainServices: RequestedServices = {}

/**
 * The most that this many tokens can cost: input at its highest possible price, output at the higher of plain
 * and reasoning, with all requested services. A tier may or may not be granted.
 * @param furtherInput input buckets besides plain text and the usual cache, such as audio
 */
export function worstCase(
  table: PriceTable,
  inputTokens: number,
  outputTokens: number,
  furtherInput: readonly InputBucket[] = [],
  services: RequestedServices = plainServices,
): bigint {
  const dearestBand = (bands: readonly PriceBand[]): bigint => {
    const band = bandFor(bands, inputRead(inputTokens, services))
    return dearestIn(band, inputTokens, outputTokens, furtherInput, services)
  }
  let most = dearestBand(table.bands)
  const bands = bandsOf(table, services.tier)
  if (bands !== table.bands) most = larger(most, dearestBand(bands))
  return toPico(most, table)
}

function dearestIn(
  { perUnit, perRequest, perGroundedPrompt, usualInput, usualOutput }: PriceBand,
  inputTokens: number,
  outputTokens: number,
  furtherInput: readonly InputBucket[],
  services: RequestedServices,
): bigint {
  const { webSearches = 0, searchUnits = 0, furtherOutput = [], moreOutputTokens = 0 } = services
  let input = usualInput
  for (const bucket of furtherInput) input = larger(input, perUnit[bucket])
  let output = usualOutput
  for (const bucket of furtherOutput) output = larger(output, perUnit[bucket])
  const searches = webSearches === 0 ? 0n : BigInt(webSearches) * perUnit.webSearches + perGroundedPrompt
  const outputs = BigInt(outputTokens + moreOutputTokens) * output
  const units = BigInt(searchUnits) * perUnit.searchUnits
  return perRequest + BigInt(inputRead(inputTokens, services)) * input + outputs + searches + units
}

/** All input that the model may read for one answer. */
export function inputRead(
  inputTokens: number,
  { readings = 1, moreInputTokens = 0 }: RequestedServices,
): number {
  return inputTokens * readings + moreInputTokens
}

/** The prices of a service tier, or the plain ones if it has none of its own. */
function bandsOf({ bands, tiers }: PriceTable, tier: string | undefined): PriceBand[] {
  if (tiers === undefined || tier === undefined) return bands
  return tiers.get(tier.toLowerCase()) ?? bands
}

function bandFor(bands: readonly PriceBand[], promptTokens: number): PriceBand {
  let found = bands[0]!
  for (const band of bands) {
    if (band.minPromptTokens <= promptTokens) found = band
  }
  return found
}

function toPico(sum: bigint, table: PriceTable): bigint {
  if (isUnmarked(table)) return divideRounding(sum, pricesPerPico)
  const { units, scale } = table.markupDecimal
  return divideRounding(sum * units, scale === 0 ? pricesPerPico : pricesPerPico * 10n ** BigInt(scale))
}

function isUnmarked({ markupDecimal: { units, scale } }: PriceTable): boolean {
  return units === 1n && scale === 0
}

/** Rounds half up; amounts are never below zero. */
function divideRounding(sum: bigint, divisor: bigint): bigint {
  return (sum + (divisor >> 1n)) / divisor
}

const pricesPerPico = 10n ** BigInt(priceScale - picoScale)
