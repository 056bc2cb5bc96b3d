import type { Schemas } from './client.ts'

/** Those that answer, which is what the playground and a first call ask for. */
export function answering(models: readonly Schemas['Model'][]): Schemas['Model'][] {
  return models.filter(({ operations }) => operations.includes('generate'))
}

/** A model that answers without anybody's key first; else the cheapest there is. */
export function firstModel(models: readonly Schemas['Model'][]): string {
  const sandbox = models.find(({ id }) => id === 'sandbox/echo')
  if (sandbox !== undefined) return sandbox.id
  // The order alone is at stake, so floats may decide it.
  const [cheapest] = answering(models).toSorted(
    (left, right) => Number(left.pricing.completion) - Number(right.pricing.completion),
  )
  return cheapest?.id ?? 'auto'
}
