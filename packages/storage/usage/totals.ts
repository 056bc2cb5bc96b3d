import type { UsageFilter, UsageTotals } from '@turnpike/gateway'
import { sql, type RawBuilder } from 'kysely'
import type { Connection } from '../schema.ts'
import { joinSum, type WideSum } from '../database/wide-sum.ts'
import { totalsByEndpoint } from './endpoint-totals.ts'
import { hasTags, totalsMatch } from './filter.ts'
import { amountNames } from './write-totals.ts'

/** Which requests count: every outcome but `failed` (docs/contract.md, 4.7), unless the filter names one. */
export const counts = ({ outcome }: UsageFilter): RawBuilder<unknown> =>
  outcome === undefined ? sql`and totals.outcome <> 'failed'` : sql``

/** The summed columns of both tables of totals. A cost is in two halves (`WideSum`). */
export const summed = amountNames.map((column) => sql.ref(column))

export const sums = sql.join(summed.map((column) => sql`sum(${column}) as ${column}`))

export async function summary(connection: Connection, filter: UsageFilter): Promise<UsageTotals> {
  const matching = sql`where ${totalsMatch(connection, filter)} ${counts(filter)}`
  const { rows } = await sql<TotalsRow>`
    select ${sums} from ${totalsByEndpoint(filter, [], { withTags: hasTags(filter), matching })} as totals
  `.execute(connection)
  return toTotals(rows[0]!)
}

export interface TotalsRow {
  requests: bigint | null
  tokens_in: bigint | null
  tokens_out: bigint | null
  cost_high: WideSum['high']
  cost_low: WideSum['low']
  baseline_high: WideSum['high']
  baseline_low: WideSum['low']
  vendor_cost_high: WideSum['high']
  vendor_cost_low: WideSum['low']
  costed_high: WideSum['high']
  costed_low: WideSum['low']
}

export function toTotals(row: TotalsRow): UsageTotals {
  return {
    totalRequests: Number(row.requests ?? 0n),
    totalTokensIn: Number(row.tokens_in ?? 0n),
    totalTokensOut: Number(row.tokens_out ?? 0n),
    totalCostPico: joinSum({ high: row.cost_high, low: row.cost_low }),
    totalBaselinePico: joinSum({ high: row.baseline_high, low: row.baseline_low }),
    totalVendorCostPico: joinSum({ high: row.vendor_cost_high, low: row.vendor_cost_low }),
    totalCostedPico: joinSum({ high: row.costed_high, low: row.costed_low }),
  }
}
