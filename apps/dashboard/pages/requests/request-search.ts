import { filtersIn, type UsageFilters } from '../../filters/usage-filters.ts'
import { textIn } from '../../search.ts'

export interface RequestsView extends UsageFilters {
  /** Where the page begins, as the page before it said. */
  cursor?: string
}

export function requestSearch(search: Record<string, unknown>): RequestsView {
  const cursor = textIn(search, 'cursor')
  return { ...filtersIn(search), ...(cursor && { cursor }) }
}
