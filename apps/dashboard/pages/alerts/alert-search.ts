import { choiceIn, textIn } from '../../search.ts'

export const alertViews = ['rules', 'recipients', 'deliveries'] as const
export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface AlertView {
  show?: (typeof alertViews)[number]
  action?: 'new' | 'change' | 'rotate' | 'delete'
  /** Filters deliveries by target. */
  target?: string
  status?: DeliveryState
  /** The delivery whose attempts are shown. */
  delivery?: string
  cursor?: string
}

export function alertSearch(search: Record<string, unknown>): AlertView {
  return {
    show: choiceIn(search, 'show', alertViews),
    action: choiceIn(search, 'action', ['new', 'change', 'rotate', 'delete'] as const),
    target: textIn(search, 'target'),
    status: choiceIn(search, 'status', deliveryStates),
    delivery: textIn(search, 'delivery'),
    cursor: textIn(search, 'cursor'),
  }
}
