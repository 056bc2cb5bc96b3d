import { defaultDays, filtersIn, type UsageFilters } from '../../filters/usage-filters.ts'
import { daysBetween, lastDays } from '../../format/time.ts'
import { choiceIn, textIn } from '../../search.ts'
import { dimensionIn, tagKeyOf, type UsageDimension } from '../usage/usage-search.ts'

export const healthDimensions = ['model', 'provider', 'key', 'tag', 'day', 'hour'] as const
export const errorMeasures = ['rate', 'requests'] as const
export const timeMeasures = ['first', 'whole', 'speed', 'cache'] as const

export type HealthDimension = (typeof healthDimensions)[number] | `tag:${string}`
export type ErrorMeasure = (typeof errorMeasures)[number]
export type TimeMeasure = (typeof timeMeasures)[number]
export type HealthUnit = 'hour' | 'day'

/** At most one tag, and none together with a key. */
export type HealthFilters = Pick<UsageFilters, 'days' | 'from' | 'to' | 'tag' | 'key' | 'model' | 'provider'>

export interface HealthView extends HealthFilters {
  /** The dimension of the table. */
  by?: HealthDimension
  /** The unit of the charts' axis. */
  unit?: HealthUnit | undefined
  errors?: ErrorMeasure | undefined
  measure?: TimeMeasure | undefined
}

export const defaultBy = 'model' satisfies HealthDimension
/** More days than this cannot be shown by hour. */
const mostHourDays = 7
/** Up to this many days are shown by hour by default. */
const hourDays = 2
/** Hours are kept for 90 days; one less, as the gateway's clock may be ahead of the browser's. */
const keptHourDays = 89

/** The whole view is in the address. What the API would refuse is left out. */
export function healthSearch(search: Record<string, unknown>): HealthView {
  const filters = healthFilters(filtersIn(search))
  const by = byIn(search)
  return {
    ...filters,
    ...(by && isAnswerable(by, filters) && { by }),
    unit: choiceIn(search, 'unit', ['hour', 'day'] as const),
    errors: choiceIn(search, 'errors', errorMeasures),
    measure: choiceIn(search, 'measure', timeMeasures),
  }
}

function byIn(search: Record<string, unknown>): HealthDimension | undefined {
  // Usage has dimensions that health does not have.
  const by: UsageDimension | undefined = dimensionIn(search, 'by')
  if (by !== undefined && tagKeyOf(by) !== undefined) return by as HealthDimension
  return choiceIn({ by: textIn(search, 'by') }, 'by', healthDimensions)
}

/** Requests are counted by key or by tag, not by both: the key wins. */
export function healthFilters({ days, from, to, tag, key, model, provider }: UsageFilters): HealthFilters {
  return {
    ...(from !== undefined && to !== undefined ? { from, to } : days !== undefined && { days }),
    ...(key !== undefined && { key }),
    ...(key === undefined && tag !== undefined && { tag: tag.slice(0, 1) }),
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
  }
}

export function isAnswerable(by: HealthDimension, filters: HealthFilters): boolean {
  if (filters.key !== undefined) return by !== 'tag' && tagKeyOf(by) === undefined && hasHour(by, filters)
  return !(by === 'key' && filters.tag !== undefined) && hasHour(by, filters)
}

function hasHour(by: HealthDimension, filters: HealthFilters): boolean {
  return by !== 'hour' || mayBeHours(filters)
}

/** All days of the view, in order. */
export function daysOfView({ days = defaultDays, from, to }: HealthFilters): string[] {
  return from !== undefined && to !== undefined ? daysBetween(from, to) : lastDays(days, Date.now())
}

export function mayBeHours(filters: HealthFilters): boolean {
  const days = daysOfView(filters)
  const [oldest = ''] = lastDays(keptHourDays + 1, Date.now())
  return days.length <= mostHourDays && (days[0] ?? '') >= oldest
}

export function unitOf(view: HealthView): HealthUnit {
  if (!mayBeHours(view)) return 'day'
  return view.unit ?? (daysOfView(view).length <= hourDays ? 'hour' : 'day')
}
