import { defaultDays, type Range } from '../../filters/usage-filters.ts'
import { daysBetween, lastDays, longDayOf } from '../../format/time.ts'

/** The days of a range, oldest first; without a range the default number of days. */
export function daysOf({ days = defaultDays, from, to }: Range): string[] {
  return from !== undefined && to !== undefined ? daysBetween(from, to) : lastDays(days, Date.now())
}

/** `in 30 days`, `today`, `from 1 Nov 2026 to 5 Nov 2026` */
export function rangeWords({ days = defaultDays, from, to }: Range): string {
  if (from !== undefined && to !== undefined) return `from ${longDayOf(from)} to ${longDayOf(to)}`
  return days === 1 ? 'today' : `in ${days} days`
}
