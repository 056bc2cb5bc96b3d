import { choiceIn, textIn } from '../../search.ts'

export const creditViews = ['topups', 'ledger'] as const

/** The view of the credit page: which list, where it begins, and the checkout that is being followed. */
export function creditSearch(search: Record<string, unknown>): {
  show?: (typeof creditViews)[number]
  session?: string
  cursor?: string
} {
  const show = choiceIn(search, 'show', creditViews)
  const session = textIn(search, 'session')
  const cursor = textIn(search, 'cursor')
  return { ...(show && { show }), ...(session && { session }), ...(cursor && { cursor }) }
}
