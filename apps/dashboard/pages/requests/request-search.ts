import { filtersIn, type UsageFilters } from '../../filters/usage-filters.ts'
import { choiceIn, textIn } from '../../search.ts'

export interface RequestsView extends UsageFilters {
  /** The cursor of the page. */
  cursor?: string
  /** Opens the dialog of the prompt log settings. */
  action?: 'log'
}

export function requestSearch(search: Record<string, unknown>): RequestsView {
  return {
    ...filtersIn(search),
    cursor: textIn(search, 'cursor'),
    action: choiceIn(search, 'action', ['log'] as const),
  }
}
