import { capabilityNames, type CapabilityName } from '../../models/capability-names.ts'
import { choiceIn, textIn, textsIn, wholeIn } from '../../search.ts'

export const modelOrders = ['name', 'input', 'output', 'context', 'newest'] as const
/** USD per million tokens of input, at most. */
export const mostPrices = ['0.1', '0.5', '1', '3', '10'] as const
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
  price?: (typeof mostPrices)[number]
  /** By default what fits best where something is looked for, else the name. */
  order?: (typeof modelOrders)[number]
  /** Chosen to be compared. */
  pick?: string[]
}

export function modelSearch(search: Record<string, unknown>): ModelView {
  const can = textsIn(search, 'can').filter((one): one is CapabilityName =>
    (capabilityNames as readonly string[]).includes(one),
  )
  const pick = readComparedModels(search, 'pick')
  return {
    q: textIn(search, 'q'),
    provider: textIn(search, 'provider'),
    ...(can.length > 0 && { can: [...new Set(can)] }),
    context: wholeIn(search, 'context', 1, mostContext),
    price: choiceIn(search, 'price', mostPrices),
    order: choiceIn(search, 'order', modelOrders),
    ...(pick.length > 0 && { pick }),
  }
}

/** Models that are beside each other, each once. */
export function readComparedModels(search: Record<string, unknown>, name: string): string[] {
  return [...new Set(textsIn(search, name))].slice(0, mostCompared)
}
