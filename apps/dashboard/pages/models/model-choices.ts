import { mostCompared, type ModelView } from './model-search.ts'

/* Apart from what stands in addresses, which every page's router reads. */

export const leastContexts = [32_000, 128_000, 200_000, 400_000, 1_000_000]

/** By what people say of a million tokens: the same of one token, in USD. */
export const perToken: Record<NonNullable<ModelView['price']>, string> = {
  '0.1': '0.0000001',
  '0.5': '0.0000005',
  '1': '0.000001',
  '3': '0.000003',
  '10': '0.00001',
}

/** With it or, where it is there already, without; undefined: with none. */
export function toggleModel(picked: readonly string[], id: string): string[] | undefined {
  const others = picked.filter((one) => one !== id)
  const all = others.length < picked.length ? others : [...picked, id].slice(-mostCompared)
  return all.length === 0 ? undefined : all
}

/** How many conditions there are, beside what is typed. */
export function conditionsIn({ provider, can = [], context, price }: ModelView): number {
  return can.length + [provider, context, price].filter((one) => one !== undefined).length
}
