import { choiceIn, textIn, wholeIn } from '../../search.ts'

export const keyViews = ['active', 'revoked'] as const
const keyActions = ['new', 'limits', 'rotate', 'owner', 'payer', 'transfer', 'revoke'] as const

export type KeyAction = (typeof keyActions)[number]

const maxPages = 100_000

export interface KeyView {
  show?: (typeof keyViews)[number]
  action?: KeyAction
  key?: string
  q?: string
  page?: number
  /** Filters by member and project; the project is also preselected for a new key. */
  member?: string
  project?: string
  /** Filters keys whose secret somebody else may know. */
  owner?: 'handed-over'
}

/** The view of the keys page: filters, page, and the open action. */
export function keySearch(search: Record<string, unknown>): KeyView {
  return {
    show: choiceIn(search, 'show', keyViews),
    action: choiceIn(search, 'action', keyActions),
    key: textIn(search, 'key'),
    q: textIn(search, 'q'),
    page: wholeIn(search, 'page', 2, maxPages),
    member: textIn(search, 'member'),
    project: textIn(search, 'project'),
    owner: choiceIn(search, 'owner', ['handed-over'] as const),
  }
}
