import type { Model } from './model.ts'
import type { Schemas } from '../schema.ts'
import { decimalUnits, timesTenTo } from '../decimal.ts'

/** A price in a model's `pricing`, without those of its tiers. */
export type PriceName = Exclude<keyof Schemas['Pricing'], 'overrides' | 'service_tiers'>

/** If a price is absent, the plainer one is charged (docs/contract.md, 5.7). */
const plainer: Partial<Record<PriceName, PriceName>> = {
  input_cache_read: 'prompt',
  input_cache_write: 'prompt',
}

/** USD per token, as a decimal string; undefined if the model has no such price. */
function perToken({ pricing }: Model, name: PriceName): string | undefined {
  const price = pricing?.[name]
  if (typeof price === 'string') return price
  const other = plainer[name]
  return other !== undefined && typeof pricing?.[other] === 'string' ? pricing[other] : undefined
}

/** USD per million tokens, as a decimal string; undefined if there is no such price. */
export function perMillion(model: Model, name: PriceName): string | undefined {
  const price = perToken(model, name)
  return price === undefined ? undefined : timesTenTo(price, 6)
}

/** For sorting; a model without the price comes last. */
export function priceRank(model: Model, name: PriceName): bigint {
  const price = perToken(model, name)
  return price === undefined ? 2n ** 100n : decimalUnits(price)
}
