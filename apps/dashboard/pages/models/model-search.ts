import { choiceIn, textIn } from '../../search.ts'

export const modelOrders = ['name', 'input', 'output', 'context'] as const

export interface ModelView {
  q?: string
  provider?: string
  order?: (typeof modelOrders)[number]
}

export function modelSearch(search: Record<string, unknown>): ModelView {
  const q = textIn(search, 'q')
  const provider = textIn(search, 'provider')
  const order = choiceIn(search, 'order', modelOrders)
  return { ...(q && { q }), ...(provider && { provider }), ...(order && { order }) }
}
