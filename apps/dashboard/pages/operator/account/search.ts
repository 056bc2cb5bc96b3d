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

/** Of one account: which of its lists, of which range, narrowed to what. */
export interface AccountView extends UsageFilters, Omit<AuditView, 'about'> {
  show?: (typeof accountViews)[number]
  action?: (typeof actions)[number]
  /** The key or budget that it is done to; the delivery whose attempts are shown. */
  row?: string
  cursor?: string
  /** Of movements of credit. */
  kind?: LedgerView['kind']
  /** Of deliveries. */
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
