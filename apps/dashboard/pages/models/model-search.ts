import { capabilityNames, type CapabilityName } from '../../models/capability-names.ts'
import { choiceIn, textIn, textsIn, wholeIn } from '../../search.ts'

export const modelOrders = ['name', 'input', 'output', 'context', 'newest'] as const
/** USD per million tokens of input, at most. */
export const mostPrices = ['0.1', '0.5', '1', '3', '10'] as const
/** The most models that are readable next to each other. */
export const mostCompared = 4
const mostContext = 1_000_000_000

export interface ModelView {
  q?: string
  provider?: string
  /** Capabilities; models must have all of them. */
  can?: CapabilityName[]
  /** The least size of the context, in tokens. */
  context?: number
  /** The highest price of input. */
  price?: (typeof mostPrices)[number]
  /** Default: best match first if there is a search, else by name. */
  order?: (typeof modelOrders)[number]
  /** Picked for comparison. */
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

/** The models to compare, without repetitions. */
export function readComparedModels(search: Record<string, unknown>, name: string): string[] {
  return [...new Set(textsIn(search, name))].slice(0, mostCompared)
}
