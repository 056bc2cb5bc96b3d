import { spendPeriodAt, type SpendPeriod } from '@turnpike/protocol'

/**
 * The periods that requests are summed up over, all UTC: months (`m2026-03`), days (`d2026-03-15`) and hours
 * (`h2026-03-15T07`). Periods of one kind are in the order of time.
 */

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** A range that is longer is a mistake: a list of its days would fill the memory. */
const maxDays = 100_000

export const dayName = (timeMs: number): string => isoText(timeMs).slice(0, 10)
export const monthPeriod = (timeMs: number): string => `m${isoText(timeMs).slice(0, 7)}`
export const dayPeriod = (timeMs: number): string => `d${dayName(timeMs)}`
export const hourPeriod = (timeMs: number): string => `h${isoText(timeMs).slice(0, 13)}`

const isoText = (timeMs: number): string => new Date(timeMs).toISOString()

/** The beginning of a day's period. */
export const periodStartMs = (day: string): number => Date.parse(day.slice(1))

/**
 * As few periods as there are that together are the range. Hours in which it begins and ends count whole.
 * @param longest `day`: without months, where days must be told apart; `hour`: without days too
 * @throws {RangeError} of a range longer than 273 years
 */
export function periodsOf(fromMs: number, toMs: number, longest: 'month' | 'day' | 'hour'): string[] {
  const startMs = Math.floor(fromMs / hourMs) * hourMs
  const endMs = Math.ceil(toMs / hourMs) * hourMs
  if (endMs - startMs > maxDays * dayMs) throw new RangeError('the range of time is too long')
  const periods: string[] = []
  for (let timeMs = startMs; timeMs < endMs;) {
    const monthEndMs = longest === 'month' ? endOfMonth(timeMs) : Infinity
    if (monthEndMs <= endMs) {
      periods.push(monthPeriod(timeMs))
      timeMs = monthEndMs
    } else if (longest !== 'hour' && timeMs % dayMs === 0 && timeMs + dayMs <= endMs) {
      periods.push(dayPeriod(timeMs))
      timeMs += dayMs
    } else {
      periods.push(hourPeriod(timeMs))
      timeMs += hourMs
    }
  }
  return periods
}

/** Months and days of which some are added up and others taken off: all of the range, and nothing besides. */
export interface NetPeriods {
  added: string[]
  /** Days of months that are added whole. */
  taken: string[]
}

/**
 * As `periodsOf`, with fewer periods to read: a month that the range has most of is read whole, less the days
 * that it has not. Only for totals whose months are exactly their days.
 * @param nowMs days behind it cost nothing to take off: there is nothing in them. A clock that is wrong makes
 * the figures slower, never others.
 */
export function netPeriodsOf(fromMs: number, toMs: number, nowMs: number): NetPeriods {
  if (fromMs % dayMs !== 0 || toMs % dayMs !== 0)
    return { added: periodsOf(fromMs, toMs, 'month'), taken: [] }
  const periods: NetPeriods = { added: [], taken: [] }
  for (let startMs = fromMs; startMs < toMs;) {
    const monthMs = startOfMonth(startMs)
    const monthEndMs = endOfMonth(monthMs)
    const endMs = Math.min(monthEndMs, toMs)
    const filledEndMs = Math.max(endMs, Math.min(monthEndMs, nowMs))
    if (startMs - monthMs + filledEndMs - endMs < endMs - startMs) {
      periods.added.push(monthPeriod(monthMs))
      periods.taken.push(...daysBetween(monthMs, startMs), ...daysBetween(endMs, monthEndMs))
    } else periods.added.push(...daysBetween(startMs, endMs))
    startMs = endMs
  }
  return periods
}

function daysBetween(fromMs: number, toMs: number): string[] {
  const days: string[] = []
  for (let timeMs = fromMs; timeMs < toMs; timeMs += dayMs) days.push(dayPeriod(timeMs))
  return days
}

function startOfMonth(timeMs: number): number {
  const date = new Date(timeMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** Infinity where no month begins at that time. */
function endOfMonth(timeMs: number): number {
  if (timeMs % dayMs !== 0) return Infinity
  const date = new Date(timeMs)
  return date.getUTCDate() === 1 ? date.setUTCMonth(date.getUTCMonth() + 1) : Infinity
}

/** The months and days that together are a key's period: of all time, the months since it was made. */
export function rollupsOf(
  { kind, startsAtMs, endsAtMs }: SpendPeriod,
  madeAtMs: number,
  nowMs: number,
): string[] {
  if (kind !== 'total') return periodsOf(startsAtMs, endsAtMs, kind === 'month' ? 'month' : 'day')
  const months: string[] = []
  // A node's clock may be ahead, or have been behind, by less than a month.
  const lastMs = spendPeriodAt('month', nowMs).endsAtMs
  const firstMs = spendPeriodAt('month', Math.min(madeAtMs, nowMs)).startsAtMs - 1
  for (let timeMs = firstMs; timeMs <= lastMs;) {
    months.push(monthPeriod(timeMs))
    timeMs = spendPeriodAt('month', timeMs).endsAtMs
  }
  return months
}
