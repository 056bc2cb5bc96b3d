import { choiceIn, textIn, wholeIn } from '../../search.ts'

export const keyViews = ['active', 'revoked'] as const
const keyActions = ['new', 'limits', 'rotate', 'payer', 'transfer', 'revoke'] as const

export type KeyAction = (typeof keyActions)[number]

const maxPages = 100_000

/** The view of the keys' page: which keys, from which page on, and what is being done to one of them. */
export function keySearch(search: Record<string, unknown>): {
  show?: (typeof keyViews)[number]
  action?: KeyAction
  key?: string
  q?: string
  page?: number
} {
  const show = choiceIn(search, 'show', keyViews)
  const action = choiceIn(search, 'action', keyActions)
  const key = textIn(search, 'key')
  const q = textIn(search, 'q')
  const page = wholeIn(search, 'page', 2, maxPages)
  return {
    ...(show && { show }),
    ...(action && { action }),
    ...(key && { key }),
    ...(q && { q }),
    ...(page && { page }),
  }
}
