import type { PriceName, Pricing } from '@turnpike/protocol'
import { powersOfTen, priceForOne } from './exact.ts'
import type { SourcePrices } from './price-source.ts'

/** Our names for the source's prices. Any other price cannot be charged, and is listed. */
const names: Record<string, { name: PriceName; power: number }> = {
  input_mtok: { name: 'prompt', power: powersOfTen.mtok },
  output_mtok: { name: 'completion', power: powersOfTen.mtok },
  cache_read_mtok: { name: 'input_cache_read', power: powersOfTen.mtok },
  cache_write_mtok: { name: 'input_cache_write', power: powersOfTen.mtok },
  cache_write_1h_mtok: { name: 'input_cache_write_1h', power: powersOfTen.mtok },
  output_reasoning_mtok: { name: 'internal_reasoning', power: powersOfTen.mtok },
  input_audio_mtok: { name: 'audio', power: powersOfTen.mtok },
  input_image_mtok: { name: 'image', power: powersOfTen.mtok },
  cache_audio_read_mtok: { name: 'input_audio_cache', power: powersOfTen.mtok },
  output_audio_mtok: { name: 'audio_output', power: powersOfTen.mtok },
  output_image_mtok: { name: 'image_output', power: powersOfTen.mtok },
  output_citation_mtok: { name: 'citation', power: powersOfTen.mtok },
  web_searches_kcount: { name: 'web_search', power: powersOfTen.kcount },
  requests_kcount: { name: 'request', power: powersOfTen.kcount },
}

export interface Converted {
  /** Undefined without a price for input or output: the model cannot be charged. */
  pricing: Pricing | undefined
  /** Prices of the source that we cannot express, such as `web_searches_kcount`. */
  notCharged: string[]
}

/**
 * Converts the source's prices to ours: USD per token, with `overrides` for long prompts.
 * @throws {InexactPrice} if a price is not an integer number of 10^-12 USD per token
 */
export function convertPrices(prices: SourcePrices): Converted {
  const base: Partial<Record<PriceName, string>> = {}
  const bands = new Map<number, Partial<Record<PriceName, string>>>()
  const notCharged: string[] = []
  for (const [key, price] of Object.entries(prices)) {
    const known = names[key]
    if (known === undefined) {
      notCharged.push(key)
      continue
    }
    const { name, power } = known
    if (typeof price === 'number') {
      base[name] = priceForOne(price, power)
      continue
    }
    base[name] = priceForOne(price.base, power)
    for (const tier of price.tiers) {
      // The source's tier applies above its start, ours from its threshold on.
      const band = bands.get(tier.start + 1) ?? {}
      bands.set(tier.start + 1, { ...band, [name]: priceForOne(tier.price, power) })
    }
  }
  return { pricing: pricingOf(base, bands), notCharged: notCharged.toSorted() }
}

function pricingOf(
  { prompt, completion, ...others }: Partial<Record<PriceName, string>>,
  bands: ReadonlyMap<number, Partial<Record<PriceName, string>>>,
): Pricing | undefined {
  if (prompt === undefined || completion === undefined) return undefined
  const pricing: Pricing = { prompt, completion, ...others }
  if (bands.size === 0) return pricing
  const ascending = [...bands].toSorted(([a], [b]) => a - b)
  // Each of our overrides is relative to the base prices, so it includes the changes of lower ones.
  let inForce = {}
  pricing.overrides = ascending.map(([bound, changed]) => {
    inForce = { ...inForce, ...changed }
    return { min_prompt_tokens: bound, ...inForce }
  })
  return pricing
}
