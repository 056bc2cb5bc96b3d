import type { Schemas } from './client.ts'

/** Models that generate text, which is what the playground and a first call need. */
export function answering(models: readonly Schemas['Model'][]): Schemas['Model'][] {
  return models.filter(({ operations }) => operations.includes('generate'))
}

/** Prefers a model that works without a vendor key, then the cheapest. */
export function firstModel(models: readonly Schemas['Model'][]): string {
  const sandbox = models.find(({ id }) => id === 'sandbox/echo')
  if (sandbox !== undefined) return sandbox.id
  // Only the order matters here, so floats are precise enough.
  const [cheapest] = answering(models).toSorted(
    (left, right) => Number(left.pricing.completion) - Number(right.pricing.completion),
  )
  return cheapest?.id ?? 'auto'
}
