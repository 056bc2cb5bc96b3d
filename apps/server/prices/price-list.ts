import type { PriceList } from '@turnpike/billing'
import type { Pricing } from '@turnpike/protocol'
import { buildCatalog, type ModelSources } from '../build-catalog.ts'

const dayMs = 24 * 60 * 60 * 1000
/** In place of a model: applies to all models. */
export const everyModel = '*'

/**
 * All prices as of the start of the UTC day, so that prices that depend on the time of day give the same
 * list all day. They do not include the operator's markup, which is listed separately.
 */
export function priceListOf(sources: ModelSources, nowMs: number): PriceList {
  const { prices } = buildCatalog(sources, Math.floor(nowMs / dayMs) * dayMs)
  const list: PriceList = { [everyModel]: { markup: sources.markup } }
  for (const model of [...prices.keys()].sort()) list[model] = flat(prices.get(model)!.pricing)
  return list
}

/** Returns `prompt`, `overrides[min_prompt_tokens=200001].prompt`, `service_tiers.priority.prompt`, …. */
function flat({ overrides = [], service_tiers: tiers = {}, ...plain }: Pricing): Record<string, string> {
  const prices: Record<string, string> = {}
  const add = (before: string, some: object): void => {
    for (const [name, price] of Object.entries(some))
      if (typeof price === 'string') prices[before + name] = price
  }
  add('', plain)
  for (const { min_prompt_tokens: bound, ...override } of overrides)
    add(`overrides[min_prompt_tokens=${bound}].`, override)
  for (const [tier, some] of Object.entries(tiers)) add(`service_tiers.${tier}.`, some)
  return prices
}

/** Where a model's price comes from. `name` is the source of the vendors' prices. */
export function sourceOf({ overrides, builtIn }: ModelSources, name: string): (model: string) => string {
  const configured = new Set(overrides.flatMap(({ id, pricing, free }) => (pricing || free ? [id] : [])))
  const own = new Set(builtIn.map(({ id }) => id))
  return (model) => {
    if (model === everyModel || configured.has(model)) return 'the configuration'
    return own.has(model) ? 'built in' : name
  }
}
