import { rangeIn } from '../../filters/usage-filters.ts'
import { choiceIn, textIn } from '../../search.ts'

export const operatorViews = [
  'accounts',
  'revenue',
  'health',
  'upstreams',
  'prices',
  'audit',
  'invites',
  'books',
] as const
const actions = ['credit', 'status', 'invite', 'withdraw', 'discard'] as const
const kinds = ['person', 'organization'] as const
const statuses = ['active', 'suspended', 'closed'] as const
const actors = ['operator', 'user'] as const
const results = ['done', 'refused'] as const
const inviteStates = ['open', 'used', 'expired'] as const

/** Of the audit log. */
export interface AuditView {
  actor?: (typeof actors)[number]
  /** Who acted: a subject, an account, an address. */
  who?: string
  did?: string
  result?: (typeof results)[number]
  /** An account. */
  about?: string
}

export interface OperatorView extends AuditView {
  show?: (typeof operatorViews)[number]
  /** The range: so many days, or two of them; absent: each view's own. */
  days?: number
  from?: string
  to?: string
  /** What is being done, to which account, invitation or row. */
  action?: (typeof actions)[number]
  account?: string
  row?: string
  cursor?: string
  /** What accounts are looked for by. */
  q?: string
  status?: (typeof statuses)[number]
  kind?: (typeof kinds)[number]
  /** Whose revenue is shown by day, or whose changes of prices; absent: of all. */
  model?: string
  state?: (typeof inviteStates)[number]
}

/** As much of a text as the API takes. */
const maxText = 255
const accountPattern = /^acct_[0-9a-hjkmnp-tv-z]{26}$/
/** Of a key no more than what is shown of it stands in an address. */
const keyPattern = /^(sk-turnpike-.{4}).*$/

export function operatorSearch(search: Record<string, unknown>): OperatorView {
  return {
    show: choiceIn(search, 'show', operatorViews),
    ...rangeIn(search),
    action: choiceIn(search, 'action', actions),
    account: textIn(search, 'account'),
    row: textIn(search, 'row'),
    cursor: textIn(search, 'cursor'),
    q: textIn(search, 'q')?.slice(0, maxText).replace(keyPattern, '$1'),
    status: choiceIn(search, 'status', statuses),
    kind: choiceIn(search, 'kind', kinds),
    model: textIn(search, 'model'),
    state: choiceIn(search, 'state', inviteStates),
    ...auditIn(search),
  }
}

export function auditIn(search: Record<string, unknown>): AuditView {
  const about = textIn(search, 'about')
  return {
    actor: choiceIn(search, 'actor', actors),
    who: textIn(search, 'who')?.slice(0, maxText),
    did: textIn(search, 'did')?.slice(0, 64),
    result: choiceIn(search, 'result', results),
    ...(about !== undefined && accountPattern.test(about) && { about }),
  }
}
