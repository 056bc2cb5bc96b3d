import { filtersIn, type UsageFilters } from '../../../filters/usage-filters.ts'
import { choiceIn, textIn, textsIn } from '../../../search.ts'
import { deliveryStates, type DeliveryState } from '../../alerts/alert-search.ts'
import type { LedgerView } from '../../credit/credit-search.ts'
import { kinds } from '../../credit/movements.ts'
import { auditIn, type AuditView } from '../operator-search.ts'

export const accountViews = [
  'requests',
  'keys',
  'members',
  'budgets',
  'ledger',
  'topups',
  'events',
  'audit',
] as const
const actions = ['credit', 'status', 'revoke', 'new-budget', 'change-budget', 'delete-budget'] as const

/** The view of one account: list, range and filters. */
export interface AccountView extends UsageFilters, Omit<AuditView, 'about'> {
  show?: (typeof accountViews)[number]
  action?: (typeof actions)[number]
  /** The key or budget of the open action, or the delivery whose attempts are shown. */
  row?: string
  cursor?: string
  /** Filters movements of credit. */
  kind?: LedgerView['kind']
  /** Filters deliveries. */
  state?: DeliveryState
}

export function accountSearch(search: Record<string, unknown>): AccountView {
  const { about: _, ...audit } = auditIn(search)
  const kind = kinds.filter((one) => textsIn(search, 'kind').includes(one))
  return {
    ...filtersIn(search),
    ...audit,
    show: choiceIn(search, 'show', accountViews),
    action: choiceIn(search, 'action', actions),
    row: textIn(search, 'row'),
    cursor: textIn(search, 'cursor'),
    ...(kind.length > 0 && { kind }),
    state: choiceIn(search, 'state', deliveryStates),
  }
}
