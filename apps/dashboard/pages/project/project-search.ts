import { rangeIn, type Range } from '../../filters/usage-filters.ts'
import { choiceIn } from '../../search.ts'

export interface OneProjectView extends Range {
  /** The open action: create a key in it, rename it or archive it. */
  action?: 'key' | 'rename' | 'archive'
}

export function oneProjectSearch(search: Record<string, unknown>): OneProjectView {
  return {
    ...rangeIn(search),
    action: choiceIn(search, 'action', ['key', 'rename', 'archive'] as const),
  }
}
