import { mostCompared, type ModelView } from './model-search.ts'

/* Separate from the address's parameters, which the router of every page reads. */

export const leastContexts = [32_000, 128_000, 200_000, 400_000, 1_000_000]

/** USD per token, by the USD per million tokens that the address has. */
export const perToken: Record<NonNullable<ModelView['price']>, string> = {
  '0.1': '0.0000001',
  '0.5': '0.0000005',
  '1': '0.000001',
  '3': '0.000003',
  '10': '0.00001',
}

/** Adds the model, or removes it if it is there already; undefined if none is left. */
export function toggleModel(picked: readonly string[], id: string): string[] | undefined {
  const others = picked.filter((one) => one !== id)
  const all = others.length < picked.length ? others : [...picked, id].slice(-mostCompared)
  return all.length === 0 ? undefined : all
}

/** The number of active filters, not counting the search. */
export function conditionsIn({ provider, can = [], context, price }: ModelView): number {
  return can.length + [provider, context, price].filter((one) => one !== undefined).length
}
