import { capabilityNames, type CapabilityName } from '../../models/capability-names.ts'
import { choiceIn, textIn, textsIn, wholeIn } from '../../search.ts'

export const modelOrders = ['name', 'input', 'output', 'context', 'newest'] as const
/** USD per million tokens of input, as people say them, with what that is per token. */
export const mostPrices = {
  '0.1': '0.0000001',
  '0.5': '0.0000005',
  '1': '0.000001',
  '3': '0.000003',
  '10': '0.00001',
} as const
export const leastContexts = [32_000, 128_000, 200_000, 400_000, 1_000_000]
/** As many as stand beside each other and can still be read. */
export const mostCompared = 4
const mostContext = 1_000_000_000

export interface ModelView {
  q?: string
  provider?: string
  /** All of them. */
  can?: CapabilityName[]
  /** Tokens, at least. */
  context?: number
  /** Of input, at most. */
  price?: keyof typeof mostPrices
  /** By default what fits best where something is looked for, else the name. */
  order?: (typeof modelOrders)[number]
  /** Chosen to be compared. */
  pick?: string[]
}

export function modelSearch(search: Record<string, unknown>): ModelView {
  const q = textIn(search, 'q')
  const provider = textIn(search, 'provider')
  const can = textsIn(search, 'can').filter((one): one is CapabilityName =>
    (capabilityNames as readonly string[]).includes(one),
  )
  const context = wholeIn(search, 'context', 1, mostContext)
  const price = choiceIn(search, 'price', Object.keys(mostPrices) as (keyof typeof mostPrices)[])
  const order = choiceIn(search, 'order', modelOrders)
  const pick = comparedIn(search, 'pick')
  return {
    ...(q && { q }),
    ...(provider && { provider }),
    ...(can.length > 0 && { can: [...new Set(can)] }),
    ...(context && { context }),
    ...(price && { price }),
    ...(order && { order }),
    ...(pick.length > 0 && { pick }),
  }
}

/** Models that are beside each other, each once. */
export function comparedIn(search: Record<string, unknown>, name: string): string[] {
  return [...new Set(textsIn(search, name))].slice(0, mostCompared)
}

/** With it or, where it is there already, without; undefined: with none. */
export function toggled(picked: readonly string[], id: string): string[] | undefined {
  const others = picked.filter((one) => one !== id)
  const all = others.length < picked.length ? others : [...picked, id].slice(-mostCompared)
  return all.length === 0 ? undefined : all
}

/** How many conditions there are, beside what is typed. */
export function conditionsIn({ provider, can = [], context, price }: ModelView): number {
  return can.length + [provider, context, price].filter((one) => one !== undefined).length
}
