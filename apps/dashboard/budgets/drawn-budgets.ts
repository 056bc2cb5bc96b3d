import type { Schemas } from '../api/client.ts'
import { mondayOf, type Places } from '../charts/places.ts'

type Period = Schemas['Budget']['period']

/**
 * The first day (UTC) of the period that contains a day: `2026-11-01` for the month of `2026-11-23`.
 * Undefined for budgets of all time.
 */
function firstDayOf(period: Period, day: string): string | undefined {
  switch (period) {
    case 'day':
      return day
    case 'week':
      return mondayOf(day)
    case 'month':
      return `${day.slice(0, '2026-11'.length)}-01`
    case 'total':
      return undefined
  }
}

/**
 * Whether a budget's limit can be drawn across these bars: each bar is one period; or, for a running sum,
 * all bars are within one period and start with it.
 */
export function isDrawn({ period }: { period: Period }, { unit, ats }: Places, isRunning: boolean): boolean {
  if (!isRunning) return unit === period
  const [first = '', last = ''] = [ats[0], ats.at(-1)].map((at) => at?.slice(0, '2026-11-23'.length))
  // A range shown in weeks is longer than any period.
  return unit !== 'week' && firstDayOf(period, last) === first
}

/**
 * The current period as a range of days that ends today. Undefined for budgets of all time.
 * @param today as `2026-11-23`, UTC
 */
export function rangeOf(
  { period }: { period: Period },
  today: string,
): { from: string; to: string } | undefined {
  const from = firstDayOf(period, today)
  return from === undefined ? undefined : { from, to: today }
}
