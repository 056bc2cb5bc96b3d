import { filtersIn, type UsageFilters } from '../../filters/usage-filters.ts'
import { choiceIn } from '../../search.ts'

export const dimensions = ['tag', 'model', 'key', 'provider', 'tier', 'endpoint', 'operation', 'day'] as const
export const measures = ['cost', 'requests', 'tokens'] as const

export type UsageDimension = (typeof dimensions)[number]
export type Measure = (typeof measures)[number]

export interface UsageView extends UsageFilters {
  /** What the figures are broken down by, and in a cross table against what. */
  by?: UsageDimension
  against?: UsageDimension
  measure?: Measure
}

/** The whole view is in the address: whoever has it sees the same. */
export function usageSearch(search: Record<string, unknown>): UsageView {
  const by = choiceIn(search, 'by', dimensions)
  const against = choiceIn(search, 'against', dimensions)
  const measure = choiceIn(search, 'measure', measures)
  return {
    ...filtersIn(search),
    ...(by && { by }),
    ...(against && against !== by && { against }),
    ...(measure && { measure }),
  }
}

/** What a view shows that says nothing of it. */
export const defaultBy: UsageDimension = 'tag'
export const defaultMeasure: Measure = 'cost'
