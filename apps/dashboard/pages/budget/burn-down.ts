import type { Schemas } from '../../api/client.ts'
import { parseUsd, shortUsd } from '../../format/money.ts'
import { daysBetween } from '../../format/time.ts'

const dayMs = 86_400_000

/** What is left of a period's budget on each day, in pico-USD, and a forecast. */
export interface BurnDown {
  days: string[]
  left: (bigint | null)[]
  expected: (bigint | null)[]
}

/**
 * For a week or a month: what is left at the end of each day, and now for today; zero if the budget is
 * exceeded. The forecast is a straight line from now to the end of the period.
 * @param nowMs Unix epoch milliseconds
 */
export function burnDownOf(report: Schemas['BudgetReport'], nowMs: number): BurnDown {
  const { budget, from, forecast_usd: forecast } = report
  const endMs = (budget.resets_at ?? report.to) * 1000
  const days = daysBetween(dayOf(from * 1000), dayOf(endMs - 1))
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
  const isLastDay = last === days.length - 1
  const expected = days.map((day, index) => {
    if (index < last || forecast === null) return null
    // The forecast starts where the past ends; on the last day it has only its end.
    if (index === last && !isLastDay) return atLeastNone(limit - spent)
    const passed = share(Date.parse(day) + dayMs - nowMs, endMs - nowMs)
    return atLeastNone(limit - spent - passed(parseUsd(forecast) - spent))
  })
  return { days, left, expected }
}

/** Returns a function that takes this part of an amount, or all of it if the whole is zero or less. */
function share(part: number, whole: number): (pico: bigint) => bigint {
  return (pico) => (whole <= 0 ? pico : (pico * BigInt(Math.round(part))) / BigInt(Math.round(whole)))
}

/**
 * When the budget will be used up according to the forecast, in Unix epoch seconds. Undefined if that is
 * not in this period, or if it is used up already.
 * @param nowMs Unix epoch milliseconds
 */
export function exhaustionTime(report: Schemas['BudgetReport'], nowMs: number): number | undefined {
  const { budget, forecast_usd: forecast } = report
  if (forecast === null || budget.resets_at === null) return undefined
  const limit = parseUsd(budget.limit_usd)
  const spent = parseUsd(budget.spent_usd)
  const total = parseUsd(forecast)
  if (total <= limit || spent >= limit) return undefined
  const leftMs = BigInt(Math.max(0, Math.round(budget.resets_at * 1000 - nowMs)))
  const untilMs = ((limit - spent) * leftMs) / (total - spent)
  return Math.floor((nowMs + Number(untilMs)) / 1000)
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
