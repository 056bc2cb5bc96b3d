import { choiceIn, textIn } from '../../search.ts'

export const operatorViews = ['accounts', 'revenue', 'upstreams', 'prices', 'books'] as const
const actions = ['credit', 'status'] as const

export interface OperatorView {
  show?: (typeof operatorViews)[number]
  /** What is being done to which account. */
  action?: (typeof actions)[number]
  account?: string
  cursor?: string
  /** Whose revenue is shown by day; absent: of all. */
  model?: string
}

export function operatorSearch(search: Record<string, unknown>): OperatorView {
  const show = choiceIn(search, 'show', operatorViews)
  const action = choiceIn(search, 'action', actions)
  const account = textIn(search, 'account')
  const cursor = textIn(search, 'cursor')
  const model = textIn(search, 'model')
  return {
    ...(show && { show }),
    ...(action && { action }),
    ...(account && { account }),
    ...(cursor && { cursor }),
    ...(model && { model }),
  }
}
