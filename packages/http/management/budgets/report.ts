import { formatUsd, type Budget, type BudgetDay, type BudgetSpent } from '@turnpike/billing'
import { invalidRequest, spendPeriodAt } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { timeRange } from '../time-range.ts'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'
import { budgetRecord, budgetSchema } from './record.ts'

const dayMs = 86_400_000
const maxDays = 366
/** The default range for a budget without a period. */
const usualDays = 30
/** The rest of a period is forecast from this many whole days before today. */
const forecastDays = 7

export const reportSchema = Type.Object(
  {
    object: Type.Literal('budget_report'),
    budget: budgetSchema,
    from: timestamp,
    to: timestamp,
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'UTC, as in `2026-11-23`.' }),
        cost_usd: usd,
        requests: Type.Integer(),
      }),
      { description: 'Oldest first; days without requests are left out.' },
    ),
    cost_usd: Type.Unsafe<string>({
      ...usd,
      description: 'The sum of these days, as the budget counted it.',
    }),
    ledger_usage_usd: Type.Unsafe<string>({
      ...usd,
      description: 'The same from the usage totals, which ledger verification checks; always equal.',
    }),
    forecast_usd: nullable(
      Type.Unsafe<string>({
        ...usd,
        description:
          'Forecast for the current period: what is spent, plus for the rest of it the average of the ' +
          'last seven full days. Null: the budget has no period.',
      }),
    ),
  },
  { title: 'BudgetReport' },
)

/** Whole UTC days: the requested range, or by default the current period. @throws {GatewayError} 400 */
export function reportRange(
  { period }: Budget,
  query: { from?: number; to?: number },
  nowMs: number,
): { fromMs: number; toMs: number } {
  const { startsAtMs, endsAtMs } = spendPeriodAt(period, nowMs)
  const range = timeRange(query)
  const toMs = endOfDay(range.toMs ?? Math.min(endsAtMs, nowMs + 1))
  const usualFromMs = period === 'total' ? toMs - usualDays * dayMs : Math.min(startsAtMs, toMs - dayMs)
  const fromMs = startOfDay(range.fromMs ?? usualFromMs)
  if (fromMs >= toMs) throw invalidRequest('from', '`from`: expected a time before `to`.')
  if (toMs - fromMs > maxDays * dayMs)
    throw invalidRequest('from', `\`from\`: expected at most ${maxDays} days before \`to\`.`)
  return { fromMs, toMs }
}

const startOfDay = (timeMs: number): number => Math.floor(timeMs / dayMs) * dayMs
const endOfDay = (timeMs: number): number => Math.ceil(timeMs / dayMs) * dayMs

/** The days that the forecast is based on. */
export function forecastRange(nowMs: number): { fromMs: number; toMs: number } {
  const toMs = startOfDay(nowMs)
  return { fromMs: toMs - forecastDays * dayMs, toMs }
}

export function budgetReport(
  budget: Budget,
  figures: {
    spent: BudgetSpent
    range: { fromMs: number; toMs: number }
    days: readonly BudgetDay[]
    usagePico: bigint
    lastDays: readonly BudgetDay[]
  },
  nowMs: number,
): Static<typeof reportSchema> {
  const { spent, range, days, usagePico, lastDays } = figures
  const forecastPico = forecastOf(budget, spent.spentPico, lastDays, nowMs)
  return {
    object: 'budget_report',
    budget: budgetRecord(budget, spent, nowMs),
    from: epochSeconds(range.fromMs),
    to: epochSeconds(range.toMs),
    days: days.map(({ day, spentPico, requests }) => ({ day, cost_usd: formatUsd(spentPico), requests })),
    cost_usd: formatUsd(sumOf(days)),
    ledger_usage_usd: formatUsd(usagePico),
    forecast_usd: forecastPico === undefined ? null : formatUsd(forecastPico),
  }
}

function sumOf(days: readonly BudgetDay[]): bigint {
  return days.reduce((sum, { spentPico }) => sum + spentPico, 0n)
}

function forecastOf(
  { period }: Budget,
  spentPico: bigint,
  lastDays: readonly BudgetDay[],
  nowMs: number,
): bigint | undefined {
  if (period === 'total') return undefined
  const [first] = lastDays
  if (first === undefined) return spentPico
  // An account that began three days ago has an average of three days.
  const days = (forecastRange(nowMs).toMs - Date.parse(first.day)) / dayMs
  const leftMs = spendPeriodAt(period, nowMs).endsAtMs - nowMs
  return spentPico + (sumOf(lastDays) * BigInt(Math.round(leftMs))) / BigInt(days * dayMs)
}
