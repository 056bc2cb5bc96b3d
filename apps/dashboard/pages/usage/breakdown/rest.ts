import type { UsageTotals } from '../../../api/usage-queries.ts'
import { parseUsd } from '../../../format/money.ts'

/** Sums of usage; the cost in pico-USD. */
export interface Sums {
  requests: number
  tokensIn: number
  tokensOut: number
  cost: bigint
}

export function sumsOf(totals: UsageTotals): Sums {
  return {
    requests: totals.total_requests,
    tokensIn: totals.total_tokens_in,
    tokensOut: totals.total_tokens_out,
    cost: parseUsd(totals.total_cost_usd),
  }
}

/** The sum of all groups without a row of their own; undefined if there are none. */
export function restOf(groups: readonly UsageTotals[], others: UsageTotals | null): Sums | undefined {
  const left = others === null ? groups : [...groups, others]
  const [first, ...further] = left.map(sumsOf)
  return further.reduce((sum: Sums | undefined, one) => sum && plus(sum, one), first)
}

function plus(left: Sums, right: Sums): Sums {
  return {
    requests: left.requests + right.requests,
    tokensIn: left.tokensIn + right.tokensIn,
    tokensOut: left.tokensOut + right.tokensOut,
    cost: left.cost + right.cost,
  }
}
