import type { BodyOf } from '../../../api/read-query.ts'
import type { Stack, StackRow } from '../../../charts/stack.ts'
import { parseUsd } from '../../../format/money.ts'

type Answer = BodyOf<'/api/v1/admin/usage/breakdown'>

/** A group of all accounts' usage by day and model. */
export type RevenueGroup = Answer['data'][number]

/** The sums of one group, or of all groups that the response leaves out. */
export type RevenueSums = NonNullable<Answer['others']>

/** The revenue and vendor cost of requests, in pico-USD. */
export interface Earned {
  requests: number
  revenue: bigint
  /** The revenue of those requests whose vendor cost is known. */
  costed: bigint
  /** The vendor cost of those. */
  vendorCost: bigint
}

const nothing: Earned = { requests: 0, revenue: 0n, costed: 0n, vendorCost: 0n }

/** The sums by a part of the group. */
export function sumEarningsBy(
  groups: readonly RevenueGroup[],
  nameOf: (group: RevenueGroup) => string,
): Map<string, Earned> {
  const sums = new Map<string, Earned>()
  for (const group of groups) {
    const name = nameOf(group)
    sums.set(name, plus(sums.get(name) ?? nothing, earningsOf(group)))
  }
  return sums
}

export function sumOf(all: Iterable<Earned>): Earned {
  let sum = nothing
  for (const one of all) sum = plus(sum, one)
  return sum
}

export function earningsOf(group: RevenueSums): Earned {
  const revenue = parseUsd(group.total_cost_usd)
  const costed = revenue - parseUsd(group.total_uncosted_usd)
  const vendorCost = group.total_vendor_cost_usd === null ? 0n : parseUsd(group.total_vendor_cost_usd)
  return { requests: group.total_requests, revenue, costed, vendorCost }
}

function plus(left: Earned, right: Earned): Earned {
  return {
    requests: left.requests + right.requests,
    revenue: left.revenue + right.revenue,
    costed: left.costed + right.costed,
    vendorCost: left.vendorCost + right.vendorCost,
  }
}

export interface Margin {
  amount: bigint
  /** Percentage of the revenue with known cost, to a tenth; undefined if that is zero. */
  percent: number | undefined
}

/** Revenue minus vendor cost; undefined if no vendor cost is known. */
export function marginOf({ revenue, costed, vendorCost }: Earned): Margin | undefined {
  if (revenue > 0n && costed === 0n && vendorCost === 0n) return undefined
  const amount = costed - vendorCost
  return { amount, percent: costed === 0n ? undefined : Number(tenths(amount, costed)) / 10 }
}

/** `16.7 %`; a dash if there is no revenue. */
export function percentText({ percent }: Margin): string {
  return percent === undefined ? '–' : `${percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)} %`
}

/** Tenths of a percent, rounded half away from zero. */
function tenths(part: bigint, whole: bigint): bigint {
  const doubled = part * 2_000n
  return (doubled + (part < 0n ? -whole : whole)) / (2n * whole)
}

const parts = [
  { name: 'Vendor cost', color: 'var(--chart-2)' },
  { name: 'Margin', color: 'var(--chart-1)' },
  { name: 'Cost above revenue', color: 'var(--chart-6)' },
  { name: 'Revenue of unknown cost', color: 'var(--chart-rest)' },
]

/** A bar per day, as high as the revenue (or the cost, if that is more), divided into its parts. */
export function marginStack(byDay: ReadonlyMap<string, Earned>, days: readonly string[]): Stack {
  const rows = days.map((at) => rowOf(at, byDay.get(at) ?? nothing))
  const { vendorCost, costed } = sumOf(byDay.values())
  const totals = parts.map((_, index) => rows.reduce((sum, { values }) => sum + values[index]!, 0n))
  // A bar has the cost only up to the day's revenue; the legend shows all of it.
  totals[0] = vendorCost
  totals[1] = costed - vendorCost
  const series = parts.map((part, index) => ({ ...part, key: `s${index}`, total: totals[index]! }))
  return { series: series.filter(({ total }, index) => index < 2 || total > 0n), rows }
}

function rowOf(at: string, { revenue, costed, vendorCost }: Earned): StackRow {
  const [covered, margin] = costed < vendorCost ? [costed, 0n] : [vendorCost, costed - vendorCost]
  const values = [covered, margin, vendorCost - covered, revenue - costed]
  return { at, values, total: revenue }
}
