import {
  maxUsageGroups,
  type UsageBreakdown,
  type UsageDimension,
  type UsageFilter,
  type UsageTotals,
} from '@turnpike/gateway'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { joinSum, type WideSum } from '../wide-sum.ts'
import { totalsMatch, totalsTable } from './filter.ts'

/** What each dimension groups by; a day is in the period of its hours too. */
const dimensionColumns: Record<UsageDimension, RawBuilder<string | null>> = {
  tag: sql`tag`,
  model: sql`model`,
  key: sql`key_id`,
  day: sql`substr(period, 2, 10)`,
  provider: sql`provider`,
  tier: sql`tier`,
}

/** What counts in figures: every outcome but `failed` (contract, section 4.7), unless one is asked for. */
const counts = ({ outcome }: UsageFilter): RawBuilder<unknown> =>
  outcome === undefined ? sql`and totals.outcome <> 'failed'` : sql``

const sums = sql`sum(requests) as requests, sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out,
  sum(cost_high) as cost_high, sum(cost_low) as cost_low,
  sum(baseline_high) as baseline_high, sum(baseline_low) as baseline_low,
  sum(vendor_cost_high) as vendor_cost_high, sum(vendor_cost_low) as vendor_cost_low,
  sum(costed_high) as costed_high, sum(costed_low) as costed_low`

export async function summary(
  engine: Engine,
  connection: Kysely<Schema>,
  filter: UsageFilter,
): Promise<UsageTotals> {
  const { rows } = await sql<TotalsRow>`
    select ${sums} from ${totalsTable(filter)} as totals
    where ${totalsMatch(engine, filter)} ${counts(filter)}
  `.execute(connection)
  return toTotals(rows[0]!)
}

export async function breakdown(
  engine: Engine,
  connection: Kysely<Schema>,
  filter: UsageFilter,
  by: readonly UsageDimension[],
): Promise<UsageBreakdown> {
  if (by.length === 0 || new Set(by).size !== by.length)
    throw new RangeError('a breakdown is by at least one dimension, and by none twice')
  const groups = by.map((_, index) => sql.ref(`group_${index}`))
  const columns = by.map((dimension, index) => sql`${dimensionColumns[dimension]} as ${groups[index]!}`)
  // The cost as a float, for the order only: no sum outgrows it.
  const { rows } = await sql<GroupRow>`
    select ${sql.join(columns)}, ${sums} from ${source(engine, filter, by)} as totals
    group by ${sql.join(groups)}
    order by sum(cost_high) * 4294967296.0 + sum(cost_low) desc, ${sql.join(groups)}
    limit ${sql.lit(maxUsageGroups + 1)}
  `.execute(connection)
  const named = rows.slice(0, maxUsageGroups).map((row) => ({
    groups: by.map((dimension, index) => groupName(dimension, row[`group_${index}`] ?? null)),
    ...toTotals(row),
  }))
  const day = by.indexOf('day')
  if (day >= 0) named.sort((left, right) => (left.groups[day]! < right.groups[day]! ? -1 : 1))
  return { rows: named, hasMore: rows.length > maxUsageGroups }
}

/** A tag is null where there is none; of the others, none is ''. */
function groupName(dimension: UsageDimension, value: string | null): string | null {
  return value === '' && dimension !== 'tag' ? null : value
}

/** The totals that match. By tag: summed up by set first, then each set's sum under each of its tags. */
function source(engine: Engine, filter: UsageFilter, by: readonly UsageDimension[]): RawBuilder<unknown> {
  const longest = by.includes('day') ? 'day' : 'month'
  const matching = sql`where ${totalsMatch(engine, filter, longest)} ${counts(filter)}`
  if (!by.includes('tag')) return sql`(select * from ${totalsTable(filter)} as totals ${matching})`
  const kept = sql.join(['account_id', 'tag_set', ...columnsOf(by)].map((column) => sql.ref(column)))
  return sql`(
    select sets.*, tag_sets.tag
    from (select ${kept}, ${sums} from usage_tag_totals as totals ${matching} group by ${kept}) as sets
    left join tag_sets on tag_sets.account_id = sets.account_id and tag_sets.id = sets.tag_set
  )`
}

const plainColumns: Record<Exclude<UsageDimension, 'tag'>, string> = {
  model: 'model',
  key: 'key_id',
  day: 'period',
  provider: 'provider',
  tier: 'tier',
}

function columnsOf(by: readonly UsageDimension[]): string[] {
  return by.flatMap((dimension) => (dimension === 'tag' ? [] : [plainColumns[dimension]]))
}

interface TotalsRow {
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

type GroupRow = TotalsRow & Record<`group_${number}`, string | null>

function toTotals(row: TotalsRow): UsageTotals {
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
