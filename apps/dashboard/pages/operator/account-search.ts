import { filtersIn, type UsageFilters } from '../../filters/usage-filters.ts'
import { choiceIn, textIn, textsIn } from '../../search.ts'
import type { LedgerView } from '../credit/credit-search.ts'
import { kinds } from '../credit/movements.ts'
import { auditIn, type AuditView } from './operator-search.ts'

export const accountViews = ['requests', 'keys', 'ledger', 'topups', 'audit'] as const
const actions = ['credit', 'status', 'revoke'] as const

/** Of one account: which of its lists, of which range, narrowed to what. */
export interface AccountView extends UsageFilters, Omit<AuditView, 'about'> {
  show?: (typeof accountViews)[number]
  action?: (typeof actions)[number]
  /** The key that is being revoked. */
  row?: string
  cursor?: string
  /** Of movements of credit. */
  kind?: LedgerView['kind']
}

export function accountSearch(search: Record<string, unknown>): AccountView {
  const show = choiceIn(search, 'show', accountViews)
  const action = choiceIn(search, 'action', actions)
  const [row, cursor] = [textIn(search, 'row'), textIn(search, 'cursor')]
  const { about: _, ...audit } = auditIn(search)
  const kind = kinds.filter((one) => textsIn(search, 'kind').includes(one))
  return {
    ...filtersIn(search),
    ...audit,
    ...(show && { show }),
    ...(action && { action }),
    ...(row && { row }),
    ...(cursor && { cursor }),
    ...(kind.length > 0 && { kind }),
  }
}
