import type { Schemas } from '../../api/client.ts'
import { comparePrices } from '../../format/money.ts'
import type { ModelView } from './model-search.ts'

type Model = Schemas['Model']

/** A name of auto-routing, which chooses a model for each request. */
export function isAuto({ owned_by: by }: Model): boolean {
  return by === 'turnpike'
}

const orders: Record<NonNullable<ModelView['order']>, (left: Model, right: Model) => number> = {
  name: (left, right) => left.id.localeCompare(right.id),
  input: (left, right) => comparePrices(left.pricing.prompt, right.pricing.prompt),
  output: (left, right) => comparePrices(left.pricing.completion, right.pricing.completion),
  context: (left, right) => right.context_length - left.context_length,
}

/** Each word of the search must be somewhere in the name. */
export function modelsShown(
  models: readonly Model[],
  { q = '', provider, order = 'name' }: ModelView,
): Model[] {
  const words = q.toLowerCase().split(/\s+/)
  return models
    .filter(({ id, name, owned_by: by }) => {
      const text = `${id} ${name}`.toLowerCase()
      return (provider === undefined || by === provider) && words.every((word) => text.includes(word))
    })
    .toSorted((left, right) => orders[order](left, right) || orders.name(left, right))
}
