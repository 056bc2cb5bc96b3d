/**
 * The periods that requests are summed up over, all UTC: days (`d2026-03-15`) and hours (`h2026-03-15T07`).
 * Their texts are in the order of time, days before hours.
 */

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** All days are from the first of these to before the second; hours likewise. */
export const dayPeriods = ['d', 'e'] as const
export const hourPeriods = ['h', 'i'] as const

/** A range that is longer is a mistake: a list of its days would fill the memory. */
const maxDays = 100_000

export const dayName = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)
export const dayPeriod = (timeMs: number): string => `d${dayName(timeMs)}`
export const hourPeriod = (timeMs: number): string => `h${new Date(timeMs).toISOString().slice(0, 13)}`

/** The beginning of a day's period. */
export const periodStartMs = (day: string): number => Date.parse(day.slice(1))

/**
 * Periods that together are the range: its whole days, and the hours before and behind them. Hours in which
 * the range begins and ends count whole.
 * @throws {RangeError} of a range longer than 273 years
 */
export function periodsOf(fromMs: number, toMs: number): string[] {
  const startMs = Math.floor(fromMs / hourMs) * hourMs
  const endMs = Math.ceil(toMs / hourMs) * hourMs
  if (endMs - startMs > maxDays * dayMs) throw new RangeError('the range of time is too long')
  const periods: string[] = []
  let timeMs = startMs
  while (timeMs < endMs) {
    const isWholeDay = timeMs % dayMs === 0 && timeMs + dayMs <= endMs
    periods.push(isWholeDay ? dayPeriod(timeMs) : hourPeriod(timeMs))
    timeMs += isWholeDay ? dayMs : hourMs
  }
  return periods
}
