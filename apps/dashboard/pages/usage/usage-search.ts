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
/** `tag:team`: by the values of tags `team:…`, of which a request has one at the most. */
export type UsageDimension = NamedDimension | `tag:${string}`
export type Measure = (typeof measures)[number]

export interface UsageView extends UsageFilters {
  /** What the figures are broken down by, and in a cross table against what. */
  by?: UsageDimension | undefined
  against?: UsageDimension | undefined
  measure?: Measure | undefined
  /** Bars are sums from the first one on; absent: each is by itself. */
  sum?: 'running' | undefined
}

/** The whole view is in the address: whoever has it sees the same. */
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

/** `team` of `tag:team`; undefined: another dimension. */
export function tagKeyOf(dimension: UsageDimension): string | undefined {
  return dimension.startsWith('tag:') ? dimension.slice('tag:'.length) : undefined
}

/** Whether a request may be in several of its groups: then they add up to more than there was. */
export function overlaps(dimension: UsageDimension): boolean {
  return dimension === 'tag'
}

/** What a view shows that says nothing of it. */
export const defaultBy: UsageDimension = 'model'

/** What is measured: requests where the ones that are shown cost nothing. */
export function measureOf({ measure = 'cost', outcome }: UsageView): Measure {
  return outcome === 'failed' ? 'requests' : measure
}
