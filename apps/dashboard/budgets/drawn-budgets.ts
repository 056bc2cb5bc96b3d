import type { Schemas } from '../api/client.ts'
import { mondayOf, type Places } from '../charts/places.ts'

type Period = Schemas['Budget']['period']

/**
 * The first day of the period that a day is in, UTC: `2026-11-01` of the month of `2026-11-23`.
 * Undefined: all time has none.
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
 * Whether a limit may be drawn across these bars: they are a period each; or, of a running sum, all of them
 * are within one period, from its first day on.
 */
export function isDrawn({ period }: { period: Period }, { unit, ats }: Places, isRunning: boolean): boolean {
  if (!isRunning) return unit === period
  const [first = '', last = ''] = [ats[0], ats.at(-1)].map((at) => at?.slice(0, '2026-11-23'.length))
  // Of weeks only the first days are known; they are more than any period has.
  return unit !== 'week' && firstDayOf(period, last) === first
}

/**
 * The days of the period under way, as a range, today the last one. Undefined: all time is no range.
 * @param today as `2026-11-23`, UTC
 */
export function rangeOf(
  { period }: { period: Period },
  today: string,
): { from: string; to: string } | undefined {
  const from = firstDayOf(period, today)
  return from === undefined ? undefined : { from, to: today }
}
