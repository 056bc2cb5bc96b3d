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

/** Filters of the audit log. */
export interface AuditView {
  actor?: (typeof actors)[number]
  /** Who acted: a subject, an account or an email address. */
  who?: string
  did?: string
  result?: (typeof results)[number]
  /** The account that it was done to. */
  about?: string
}

export interface OperatorView extends AuditView {
  show?: (typeof operatorViews)[number]
  /** The range: a number of days, or two days; absent: each view's default. */
  days?: number
  from?: string
  to?: string
  /** The open action, and the account, invitation or row it is about. */
  action?: (typeof actions)[number]
  account?: string
  row?: string
  cursor?: string
  /** The search for accounts. */
  q?: string
  status?: (typeof statuses)[number]
  kind?: (typeof kinds)[number]
  /** The model whose revenue by day or price changes are shown; absent: all models. */
  model?: string
  state?: (typeof inviteStates)[number]
}

/** The API's limit. */
const maxText = 255
const accountPattern = /^acct_[0-9a-hjkmnp-tv-z]{26}$/
/** Only the visible part of a key may be in an address. */
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
