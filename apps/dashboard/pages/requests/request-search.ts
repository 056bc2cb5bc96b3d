import { filtersIn, type UsageFilters } from '../../filters/usage-filters.ts'
import { choiceIn, textIn } from '../../search.ts'

export const outcomes = ['completed', 'client_closed', 'upstream_cut', 'credit_exhausted', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

export interface RequestsView extends UsageFilters {
  outcome?: Outcome
  /** Where the page begins, as the page before it said. */
  cursor?: string
}

export function requestSearch(search: Record<string, unknown>): RequestsView {
  const outcome = choiceIn(search, 'outcome', outcomes)
  const cursor = textIn(search, 'cursor')
  return { ...filtersIn(search), ...(outcome && { outcome }), ...(cursor && { cursor }) }
}
