import { choiceIn, textIn } from '../../search.ts'

export const keyViews = ['active', 'revoked'] as const
const keyActions = ['new', 'limits', 'rotate', 'transfer', 'revoke'] as const

/** The view of the keys' page: which keys, and what is being done to one of them. */
export function keySearch(search: Record<string, unknown>): {
  show?: (typeof keyViews)[number]
  action?: (typeof keyActions)[number]
  key?: string
} {
  const show = choiceIn(search, 'show', keyViews)
  const action = choiceIn(search, 'action', keyActions)
  const key = textIn(search, 'key')
  return { ...(show && { show }), ...(action && { action }), ...(key && { key }) }
}
