import type { Schemas } from '../../api/client.ts'
import { parseUsd, shortUsd } from '../../format/money.ts'
import { daysBetween } from '../../format/time.ts'

const dayMs = 86_400_000

/** What is left of a period's budget by its days, in pico-USD; and what will be, if it goes on like that. */
export interface BurnDown {
  days: string[]
  left: (bigint | null)[]
  expected: (bigint | null)[]
}

/**
 * Of a week or a month. Nothing is left where it is exceeded; the forecast begins today, and ends with the
 * period.
 * @param nowMs Unix epoch milliseconds
 */
export function burnDownOf(report: Schemas['BudgetReport'], nowMs: number): BurnDown {
  const { budget, from, forecast_usd: forecast } = report
  const end = dayOf((budget.resets_at ?? report.to) * 1000 - 1)
  const days = daysBetween(dayOf(from * 1000), end)
  const spentOn = new Map(report.days.map(({ day, cost_usd: cost }) => [day, parseUsd(cost)]))
  const limit = parseUsd(budget.limit_usd)
  const today = days.indexOf(dayOf(nowMs))
  const last = today === -1 ? days.length - 1 : today
  let spent = 0n
  const left = days.map((day, index) => {
    if (index > last) return null
    spent += spentOn.get(day) ?? 0n
    return atLeastNone(limit - spent)
  })
  const total = forecast === null ? spent : parseUsd(forecast)
  const ahead = BigInt(Math.max(1, days.length - 1 - last))
  const expected = days.map((_, index) => {
    if (index < last || forecast === null) return null
    const then = spent + ((total - spent) * BigInt(index - last)) / ahead
    return atLeastNone(limit - then)
  })
  return { days, left, expected }
}

export function wordsOf(values: readonly (bigint | null)[]): (string | null)[] {
  return values.map((value) => (value === null ? null : shortUsd(value)))
}

function atLeastNone(pico: bigint): bigint {
  return pico > 0n ? pico : 0n
}

function dayOf(timeMs: number): string {
  return new Date(Math.floor(timeMs / dayMs) * dayMs).toISOString().slice(0, 10)
}
