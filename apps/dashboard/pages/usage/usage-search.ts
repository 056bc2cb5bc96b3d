import { filtersIn, type UsageFilters } from '../../filters/usage-filters.ts'
import { choiceIn, textIn } from '../../search.ts'

export const dimensions = [
  'model',
  'key',
  'member',
  'project',
  'provider',
  'tag',
  'tier',
  'endpoint',
  'operation',
  'day',
  'hour',
] as const
export const measures = ['cost', 'requests', 'tokens'] as const

export type NamedDimension = (typeof dimensions)[number]
/** `tag:team`: by the values of tags `team:…`. A request has at most one value per key. */
export type UsageDimension = NamedDimension | `tag:${string}`
export type Measure = (typeof measures)[number]

export interface UsageView extends UsageFilters {
  /** The dimension of the breakdown, and the second one of a cross table. */
  by?: UsageDimension | undefined
  against?: UsageDimension | undefined
  measure?: Measure | undefined
  /** Bars are running sums; absent: each bar is by itself. */
  sum?: 'running' | undefined
}

/** The whole view is in the address: everybody who opens it sees the same. */
export function usageSearch(search: Record<string, unknown>): UsageView {
  const by = dimensionIn(search, 'by')
  const against = dimensionIn(search, 'against')
  return {
    ...filtersIn(search),
    by,
    ...(against !== by && { against }),
    measure: choiceIn(search, 'measure', measures),
    sum: choiceIn(search, 'sum', ['running'] as const),
  }
}

const maxKeyLength = 63

export function dimensionIn(search: Record<string, unknown>, name: string): UsageDimension | undefined {
  const named = choiceIn(search, name, dimensions)
  if (named !== undefined) return named
  const key = /^tag:(\S.*)$/.exec(textIn(search, name)?.trim() ?? '')?.[1]
  return key === undefined || key.length > maxKeyLength ? undefined : `tag:${key}`
}

/** `team` for `tag:team`; undefined for other dimensions. */
export function tagKeyOf(dimension: UsageDimension): string | undefined {
  return dimension.startsWith('tag:') ? dimension.slice('tag:'.length) : undefined
}

/** Whether a request can be in several groups, so that they add up to more than the total. */
export function overlaps(dimension: UsageDimension): boolean {
  return dimension === 'tag'
}

/** The dimension of a view that does not name one. */
export const defaultBy: UsageDimension = 'model'

/** The measure: requests if only failed ones are shown, because they cost nothing. */
export function measureOf({ measure = 'cost', outcome }: UsageView): Measure {
  return outcome === 'failed' ? 'requests' : measure
}
