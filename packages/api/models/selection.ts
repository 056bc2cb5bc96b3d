import type { Model } from './model.ts'
import { priceRank } from './price.ts'

const orders = {
  id: (a: Model, b: Model) => compare(a.id, b.id),
  input: (a: Model, b: Model) => compare(priceRank(a, 'prompt'), priceRank(b, 'prompt')),
  output: (a: Model, b: Model) => compare(priceRank(a, 'completion'), priceRank(b, 'completion')),
  context: (a: Model, b: Model) => compare(b.context_length ?? 0, a.context_length ?? 0),
  newest: (a: Model, b: Model) => compare(b.created, a.created),
} satisfies Record<string, (a: Model, b: Model) => number>

export type ModelOrder = keyof typeof orders
export const modelOrders = Object.keys(orders) as ModelOrder[]

function compare<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export interface ModelWishes {
  /** The id or the name must contain all of these. */
  words: readonly string[]
  provider?: string | undefined
  order?: ModelOrder | undefined
}

/** The models that match, sorted. */
export function selectModels(
  models: readonly Model[],
  { words, provider, order = 'id' }: ModelWishes,
): Model[] {
  const contained = words.map((word) => word.toLowerCase())
  return models
    .filter(({ id }) => provider === undefined || id.startsWith(`${provider.toLowerCase()}/`))
    .filter(({ id, name }) => contained.every((word) => `${id} ${name ?? ''}`.toLowerCase().includes(word)))
    .sort((a, b) => orders[order](a, b) || compare(a.id, b.id))
}
