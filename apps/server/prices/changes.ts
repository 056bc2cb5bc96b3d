import { parseDecimal, unitsAt } from '@turnpike/billing'
import type { PriceChange } from '@turnpike/http'
import { priceNames, type PriceName, type Pricing } from '@turnpike/protocol'
import type { PricedCatalog } from '../build-catalog.ts'

/** A price that changes by more than this is reported to the operator. */
const noticeablePercent = 20n

/** Enough decimal places for every price that the configuration accepts. */
const scale = 18

/** The price that applies if one is absent (docs/contract.md, 5.7). */
const plainer: Partial<Record<PriceName, PriceName>> = {
  input_cache_read: 'prompt',
  input_cache_write: 'prompt',
  input_cache_write_1h: 'input_cache_write',
  internal_reasoning: 'completion',
  audio: 'prompt',
  image: 'prompt',
  input_audio_cache: 'input_cache_read',
  audio_output: 'completion',
  image_output: 'completion',
}

export interface Changes {
  /** How many models have new prices. */
  changedModels: number
  /** The prices that changed noticeably, in the order of the models. */
  noticeable: PriceChange[]
}

/** Compares the prices of the models that both catalogs have. */
export function changesBetween(before: PricedCatalog, after: PricedCatalog): Changes {
  let changedModels = 0
  const noticeable: PriceChange[] = []
  for (const { id } of after.catalog.models) {
    if (before.catalog.find(id) === undefined) continue
    const [old, now] = [before.prices.get(id), after.prices.get(id)]
    if (old?.version === now?.version) continue
    changedModels++
    noticeable.push(...changesOf(id, old?.pricing, now?.pricing))
  }
  return { changedModels, noticeable }
}

function changesOf(model: string, before: Pricing | undefined, after: Pricing | undefined): PriceChange[] {
  if (before === undefined || after === undefined) {
    return [
      {
        model,
        price: 'prompt',
        before: before?.prompt ?? null,
        after: after?.prompt ?? null,
        changed_percent: null,
      },
    ]
  }
  const changes: PriceChange[] = []
  for (const bound of boundsOf(before, after)) {
    for (const name of namesIn(bound, before, after)) {
      const price = bound === 0 ? name : `overrides[min_prompt_tokens=${bound}].${name}`
      const [old, now] = [priceAt(before, bound, name), priceAt(after, bound, name)]
      const moved = movement(old, now)
      if (moved.noticeable)
        changes.push({ model, price, before: old, after: now, changed_percent: moved.percent })
    }
  }
  return changes
}

function boundsOf(...pricings: Pricing[]): number[] {
  const bounds = pricings.flatMap(({ overrides = [] }) => overrides.map((one) => one.min_prompt_tokens))
  return [0, ...new Set(bounds)].toSorted((a, b) => a - b)
}

/**
 * The prices that either pricing sets from this bound on. A price that neither sets changes with the price
 * that applies instead.
 */
function namesIn(bound: number, ...pricings: Pricing[]): PriceName[] {
  const stated = pricings.map((pricing) =>
    bound === 0 ? pricing : pricing.overrides?.find((one) => one.min_prompt_tokens === bound),
  )
  return priceNames.filter((name) => stated.some((prices) => prices?.[name] !== undefined))
}

/** The unit price in a request with this many input tokens. */
function priceAt(pricing: Pricing, bound: number, name: PriceName): string {
  const override = (pricing.overrides ?? [])
    .filter((one) => one.min_prompt_tokens <= bound)
    .toSorted((a, b) => b.min_prompt_tokens - a.min_prompt_tokens)[0]
  const prices = { ...pricing, ...override }
  for (let one: PriceName | undefined = name; one !== undefined; one = plainer[one]) {
    const price = prices[one]
    if (price !== undefined) return price
  }
  return '0'
}

/** The change, rounded to a tenth of a percent; null if the old price was 0 and there is no ratio. */
function movement(before: string, after: string): { noticeable: boolean; percent: number | null } {
  const [old, now] = [unitsAt(parseDecimal(before), scale), unitsAt(parseDecimal(after), scale)]
  const difference = now > old ? now - old : old - now
  return {
    noticeable: difference * 100n > old * noticeablePercent,
    percent: old === 0n ? null : Number(((now - old) * 1000n) / old) / 10,
  }
}
