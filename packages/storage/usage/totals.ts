import {
  maxUsageGroups,
  type UsageBreakdown,
  type UsageDimension,
  type UsageFilter,
  type UsageTotals,
} from '@turnpike/gateway'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Engine } from '../database.ts'
import type { Schema } from '../schema.ts'
import { highSum, joinSum, lowSum, type WideSum } from '../wide-sum.ts'
import { isSuccessful, matches } from './filter.ts'

const dayMs = 86_400_000

type GroupValue = string | bigint | null

/**
 * What each dimension groups by. A day is its number since 1970 here, UTC; it gets its name in
 * `groupName`.
 */
const dimensionColumns: Record<UsageDimension, RawBuilder<GroupValue>> = {
  tag: sql`tag.value`,
  model: sql`requests.model_served`,
  key: sql`requests.key_id`,
  day: sql`requests.started_at_ms / ${sql.lit(dayMs)}`,
  provider: sql`requests.provider`,
  tier: sql`requests.tier`,
}

/** A request's own tags as rows, so that an untagged one still has one, with null. */
const requestTags: Record<Engine, RawBuilder<{ value: string }>> = {
  sqlite: sql`json_each(requests.tags)`,
  postgres: sql`lateral jsonb_array_elements_text(requests.tags::jsonb)`,
}

export async function summary(connection: Kysely<Schema>, filter: UsageFilter): Promise<UsageTotals> {
  const row = await totals(connection, filter).executeTakeFirstOrThrow()
  return toTotals(row)
}

export async function breakdown(
  engine: Engine,
  connection: Kysely<Schema>,
  filter: UsageFilter,
  by: readonly UsageDimension[],
): Promise<UsageBreakdown> {
  if (by.length === 0 || new Set(by).size !== by.length)
    throw new RangeError('a breakdown is by at least one dimension, and by none twice')
  const columns = by.map((dimension) => dimensionColumns[dimension])
  let query = totals(connection, filter)
  if (by.includes('tag'))
    query = query.leftJoin(requestTags[engine].as<'tag'>('tag'), (join) => join.onTrue())
  // As a float, for the order only: no sum outgrows it.
  query = query.orderBy(sql`sum(cast(requests.charge_pico as double precision))`, 'desc')
  for (const column of columns) query = query.groupBy(column).orderBy(column)
  const rows = await query
    .select(columns.map((column, index) => column.as(`group_${index}`)))
    .limit(maxUsageGroups + 1)
    .execute()
  const groups = rows.slice(0, maxUsageGroups).map((row) => {
    const values = row as unknown as Record<string, GroupValue>
    return {
      groups: by.map((dimension, index) => groupName(dimension, values[`group_${index}`] ?? null)),
      ...toTotals(row),
    }
  })
  const day = by.indexOf('day')
  if (day >= 0)
    groups.sort((left, right) =>
      left.groups[day]! < right.groups[day]! ? -1 : left.groups[day]! > right.groups[day]! ? 1 : 0,
    )
  return { rows: groups, hasMore: rows.length > maxUsageGroups }
}

function totals(connection: Kysely<Schema>, filter: UsageFilter) {
  return connection
    .selectFrom('requests')
    .where(matches(filter))
    .where(isSuccessful)
    .select((builder) => [
      builder.fn.countAll<bigint>().as('requests'),
      builder.fn.sum<bigint | null>('requests.tokens_in').as('tokens_in'),
      builder.fn.sum<bigint | null>('requests.tokens_out').as('tokens_out'),
      highSum('requests.charge_pico').as('high'),
      lowSum('requests.charge_pico').as('low'),
    ])
}

interface TotalsRow extends WideSum {
  requests: bigint
  tokens_in: bigint | null
  tokens_out: bigint | null
}

function toTotals(row: TotalsRow): UsageTotals {
  return {
    totalRequests: Number(row.requests),
    totalTokensIn: Number(row.tokens_in ?? 0n),
    totalTokensOut: Number(row.tokens_out ?? 0n),
    totalCostPico: joinSum(row),
  }
}

function groupName(dimension: UsageDimension, value: GroupValue): string | null {
  if (value === null) return null
  if (dimension !== 'day') return String(value)
  return new Date(Number(value) * dayMs).toISOString().slice(0, 10)
}
