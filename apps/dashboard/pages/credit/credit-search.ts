import { dayIn } from '../../filters/usage-filters.ts'
import { choiceIn, textIn, textsIn } from '../../search.ts'
import { kinds } from './movements.ts'

export const creditViews = ['topups', 'ledger', 'automatic'] as const

/** Filters of the ledger. */
export interface LedgerView {
  kind?: (typeof kinds)[number][]
  key?: string | undefined
  /** The first and the last day, UTC. */
  from?: string | undefined
  to?: string | undefined
}

interface CreditView extends LedgerView {
  show?: (typeof creditViews)[number]
  session?: string
  cursor?: string
}

/** The view of the credit page: which list, its cursor, and the checkout to follow. */
export function creditSearch(search: Record<string, unknown>): CreditView {
  const kind = kinds.filter((one) => textsIn(search, 'kind').includes(one))
  const key = textIn(search, 'key')
  const [from, to] = [dayIn(search, 'from'), dayIn(search, 'to')]
  return {
    show: choiceIn(search, 'show', creditViews),
    session: textIn(search, 'session'),
    cursor: textIn(search, 'cursor'),
    ...(kind.length > 0 && { kind }),
    ...(key !== undefined && /^key_[0-9a-z]{26}$/.test(key) && { key }),
    ...(from !== undefined && to !== undefined && from <= to && { from, to }),
  }
}

/** The filters as query parameters of the API. */
export function ledgerQueryOf({ kind, key, from, to }: LedgerView) {
  return {
    ...(kind && kind.length > 0 && { kind }),
    ...(key !== undefined && { key_id: key }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}
