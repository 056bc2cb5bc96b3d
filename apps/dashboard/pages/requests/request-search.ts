import { filtersIn, type UsageFilters } from '../../filters/usage-filters.ts'
import { choiceIn, textIn } from '../../search.ts'

export interface RequestsView extends UsageFilters {
  /** Where the page begins, as the page before it said. */
  cursor?: string
  /** What is kept of prompts and answers, as a dialog. */
  action?: 'log'
}

export function requestSearch(search: Record<string, unknown>): RequestsView {
  return {
    ...filtersIn(search),
    cursor: textIn(search, 'cursor'),
    action: choiceIn(search, 'action', ['log'] as const),
  }
}
