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
  /** Whose keys, and of which project; of a new one the project that it is to be in. */
  member?: string
  project?: string
  /** Those whose secret somebody else may know. */
  owner?: 'handed-over'
}

/** The view of the keys' page: which keys, from which page on, and what is being done to one of them. */
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
