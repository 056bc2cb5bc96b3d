import { spendPeriodAt, type SpendPeriod } from '@turnpike/protocol'

/**
 * The periods of totals, all UTC: months (`m2026-03`), days (`d2026-03-15`) and hours (`h2026-03-15T07`).
 * Periods of one kind sort by time.
 */

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** A longer range is a mistake: a list of its days would fill the memory. */
const maxDays = 100_000

export const dayName = (timeMs: number): string => isoText(timeMs).slice(0, 10)
export const monthPeriod = (timeMs: number): string => `m${isoText(timeMs).slice(0, 7)}`
export const dayPeriod = (timeMs: number): string => `d${dayName(timeMs)}`
export const hourPeriod = (timeMs: number): string => `h${isoText(timeMs).slice(0, 13)}`

const isoText = (timeMs: number): string => new Date(timeMs).toISOString()

/** The start of a day's period. */
export const periodStartMs = (day: string): number => Date.parse(day.slice(1))

/**
 * The smallest list of periods that covers the range. The hours of its start and end count as a whole.
 * @param longest `day`: no months, because days must be told apart; `hour`: no days either
 * @throws {RangeError} for a range longer than 273 years
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

/** Months and days to add, and days to subtract, which together give exactly the range. */
export interface NetPeriods {
  added: string[]
  /** Days that are subtracted from whole months. */
  taken: string[]
}

/**
 * Like `periodsOf`, with fewer periods to read: a month that is mostly inside the range is read as a whole,
 * minus the days outside. Only for totals whose months are exactly the sums of their days.
 * @param nowMs later days are empty, so subtracting them is free. A wrong clock makes this slower, but never
 * wrong.
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

/** Infinity if no month starts at that time. */
function endOfMonth(timeMs: number): number {
  if (timeMs % dayMs !== 0) return Infinity
  const date = new Date(timeMs)
  return date.getUTCDate() === 1 ? date.setUTCMonth(date.getUTCMonth() + 1) : Infinity
}

/** The months and days that make up a key's period. For all time: the months since the key was created. */
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
