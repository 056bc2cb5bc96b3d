import { choiceIn, textIn } from '../../search.ts'

export const alertViews = ['rules', 'recipients', 'deliveries'] as const
export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface AlertView {
  show?: (typeof alertViews)[number]
  action?: 'new' | 'change' | 'rotate' | 'delete'
  /** Of deliveries: those to this one alone. */
  target?: string
  status?: DeliveryState
  /** Whose attempts are shown. */
  delivery?: string
  cursor?: string
}

export function alertSearch(search: Record<string, unknown>): AlertView {
  const show = choiceIn(search, 'show', alertViews)
  const action = choiceIn(search, 'action', ['new', 'change', 'rotate', 'delete'] as const)
  const status = choiceIn(search, 'status', deliveryStates)
  const texts = Object.fromEntries(
    ['target', 'delivery', 'cursor'].flatMap((name) => {
      const text = textIn(search, name)
      return text === undefined ? [] : [[name, text]]
    }),
  )
  return { ...(show && { show }), ...(action && { action }), ...(status && { status }), ...texts }
}
