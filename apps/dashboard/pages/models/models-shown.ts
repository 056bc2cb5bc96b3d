import type { Schemas } from '../../api/client.ts'
import { comparePrices } from '../../format/money.ts'
import { capabilities } from '../../models/capabilities.ts'
import { findModels } from '../../models/find-models.ts'
import { perToken } from './model-choices.ts'
import type { ModelView } from './model-search.ts'

type Model = Schemas['Model']
type Order = (left: Model, right: Model) => number

const byName: Order = (left, right) => left.id.localeCompare(right.id)

const orders: Record<NonNullable<ModelView['order']>, Order> = {
  name: byName,
  input: (left, right) => comparePrices(left.pricing.prompt, right.pricing.prompt),
  output: (left, right) => comparePrices(left.pricing.completion, right.pricing.completion),
  context: (left, right) => right.context_length - left.context_length,
  newest: (left, right) => right.created - left.created,
}

/** The models that match all filters, in the chosen order. */
export function modelsShown(models: readonly Model[], view: ModelView): Model[] {
  const { q = '', order } = view
  const found = findModels(
    models.filter((model) => fits(model, view)),
    q,
  )
  if (order === undefined && q.trim() !== '') return found
  return found.toSorted((left, right) => orders[order ?? 'name'](left, right) || byName(left, right))
}

function fits(model: Model, { provider, can = [], context = 0, price }: ModelView): boolean {
  return (
    (provider === undefined || model.owned_by === provider) &&
    model.context_length >= context &&
    (price === undefined || comparePrices(model.pricing.prompt, perToken[price]) <= 0) &&
    can.every((name) => capabilities[name].isOf(model))
  )
}
