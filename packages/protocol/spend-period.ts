/** The period that a spend limit applies to; `total` is the key's whole life. */
export const spendLimitPeriods = ['day', 'week', 'month', 'total'] as const

export type SpendLimitPeriod = (typeof spendLimitPeriods)[number]

/** One day, ISO week (from Monday) or calendar month, all UTC, or all time, in Unix epoch milliseconds. */
export interface SpendPeriod {
  kind: SpendLimitPeriod
  /** Inclusive; -Infinity for `total`. */
  startsAtMs: number
  /** Exclusive; Infinity for `total`. */
  endsAtMs: number
}

const dayMs = 86_400_000

/** The period of this kind that contains the time. */
export function spendPeriodAt(kind: SpendLimitPeriod, timeMs: number): SpendPeriod {
  if (kind === 'total') return { kind, startsAtMs: -Infinity, endsAtMs: Infinity }
  const date = new Date(timeMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (kind === 'month') {
    return { kind, startsAtMs: Date.UTC(year, month), endsAtMs: Date.UTC(year, month + 1) }
  }
  // UTC has no daylight saving time, so every day has the same length.
  const todayMs = Math.floor(timeMs / dayMs) * dayMs
  if (kind === 'day') return { kind, startsAtMs: todayMs, endsAtMs: todayMs + dayMs }
  const daysSinceMonday = (date.getUTCDay() + 6) % 7
  const startsAtMs = todayMs - daysSinceMonday * dayMs
  return { kind, startsAtMs, endsAtMs: startsAtMs + 7 * dayMs }
}

/** A period's stored name: `d2026-11-23`, `w2026-11-23` (its Monday), `m2026-11`, `t`. */
export function spendPeriodName({ kind, startsAtMs }: SpendPeriod): string {
  if (kind === 'total') return 't'
  const day = new Date(startsAtMs).toISOString().slice(0, 10)
  return kind === 'month' ? `m${day.slice(0, 7)}` : `${kind === 'day' ? 'd' : 'w'}${day}`
}
