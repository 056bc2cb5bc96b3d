import type { Schemas } from './client.ts'

/** A model that answers without anybody's key first; else the cheapest there is. */
export function firstModel(models: readonly Schemas['Model'][]): string {
  const sandbox = models.find(({ id }) => id === 'sandbox/echo')
  if (sandbox !== undefined) return sandbox.id
  // The order alone is at stake, so floats may decide it.
  const [cheapest] = models.toSorted(
    (left, right) => Number(left.pricing.completion) - Number(right.pricing.completion),
  )
  return cheapest?.id ?? 'auto'
}
