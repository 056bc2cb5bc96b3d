import type { UsageFilter } from '@turnpike/gateway'
import { firstIdentifierAt } from '@turnpike/protocol'
import { sql, type ExpressionBuilder, type ExpressionWrapper, type RawBuilder, type SqlBool } from 'kysely'
import { engineOf } from '../database/engine.ts'
import type { Connection, Schema } from '../schema.ts'
import { endpointsIn, isOfOthers } from './endpoint-totals.ts'
import { keysOf } from './key-owners.ts'
import { periodsOf } from './period.ts'

/**
 * The filter as a condition on `requests`. The time in the identifier finds the rows, and `started_at_ms`
 * decides. The two are equal unless a row was written by hand.
 */
export function matches(
  filter: UsageFilter,
): (builder: ExpressionBuilder<Schema, 'requests'>) => ExpressionWrapper<Schema, 'requests', SqlBool> {
  return (builder) => {
    const conditions = [
      builder('requests.id', '>=', firstIdentifierAt('req', filter.fromMs)),
      builder('requests.id', '<', firstIdentifierAt('req', filter.toMs)),
      builder('requests.started_at_ms', '>=', atLeast(filter.fromMs)),
      builder('requests.started_at_ms', '<', atLeast(filter.toMs)),
    ]
    if (filter.accountId !== undefined) conditions.push(builder('requests.account_id', '=', filter.accountId))
    if (filter.keyId !== undefined) conditions.push(builder('requests.key_id', '=', filter.keyId))
    const keys = keysOf(filter)
    if (keys !== undefined) conditions.push(builder('requests.key_id', 'in', keys))
    if (filter.model !== undefined) conditions.push(builder('requests.model_served', '=', filter.model))
    if (filter.provider !== undefined) conditions.push(builder('requests.provider', '=', filter.provider))
    if (filter.tier !== undefined) conditions.push(builder('requests.tier', '=', filter.tier))
    const listed = endpointsIn(filter)
    if (listed !== undefined)
      conditions.push(builder('requests.endpoint', 'in', listed.length === 0 ? [''] : listed))
    if (filter.outcome !== undefined) conditions.push(builder('requests.outcome', '=', filter.outcome))
    if (hasTags(filter)) conditions.push(builder('requests.tag_set', 'in', setsWithTags(filter)))
    return builder.and(conditions)
  }
}

/** Bounds may have fractions, columns do not: the next whole millisecond separates them equally. */
const atLeast = (ms: number): bigint => BigInt(Math.ceil(ms))

/** The filter as a condition on any table of totals, here named `totals`. */
export function totalsMatch(
  connection: Connection,
  filter: UsageFilter,
  longest: 'month' | 'day' | 'hour' = 'month',
): RawBuilder<SqlBool> {
  const periods = periodsOf(filter.fromMs, filter.toMs, longest)
  return sql`${isInPeriods(connection, periods)} ${furtherMatches(filter)}`
}

/**
 * A condition on a table of totals, here named `totals`. PostgreSQL gets an array, because its planner
 * estimates how much of an index an array selects, but not how much a subquery does.
 */
export function isInPeriods(connection: Connection, periods: readonly string[]): RawBuilder<SqlBool> {
  return engineOf(connection) === 'postgres'
    ? sql`totals.period = any(${periods}::text[])`
    : sql`totals.period in (select value from ${listAsTable(connection, periods)})`
}

/** The filter without its range and endpoints: ` and …`, or nothing. */
export function furtherMatches(filter: UsageFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql``]
  if (filter.accountId !== undefined) conditions.push(sql`totals.account_id = ${filter.accountId}`)
  if (hasTags(filter)) conditions.push(sql`totals.tag_set in ${setsWithTags(filter)}`)
  if (filter.keyId !== undefined) conditions.push(sql`totals.key_id = ${filter.keyId}`)
  const keys = keysOf(filter)
  if (keys !== undefined) conditions.push(sql`totals.key_id in ${keys}`)
  if (filter.model !== undefined) conditions.push(sql`totals.model = ${filter.model}`)
  if (filter.provider !== undefined) conditions.push(sql`totals.provider = ${filter.provider}`)
  if (filter.tier !== undefined) conditions.push(sql`totals.tier = ${filter.tier}`)
  if (filter.outcome !== undefined) conditions.push(sql`totals.outcome = ${filter.outcome}`)
  return sql.join(conditions, sql` and `)
}

/** The smallest table that counts every request that matches. */
export function totalsTable(filter: UsageFilter): RawBuilder<unknown> {
  const ofEndpoints = isOfOthers(filter) ? 'endpoint_' : ''
  return sql.table(`usage_${ofEndpoints}${hasTags(filter) ? 'tag_' : ''}totals`)
}

/** Any number of texts in one parameter, as rows of `value`, so that the statement stays the same. */
export function listAsTable(connection: Connection, texts: readonly string[]): RawBuilder<unknown> {
  if (engineOf(connection) === 'sqlite') return sql`json_each(${JSON.stringify(texts)}) as listed`
  return sql`unnest(${texts}::text[]) as listed (value)`
}

export function hasTags({ tags }: UsageFilter): boolean {
  return tags !== undefined && tags.length > 0
}

/** The sets that contain all of the tags. */
function setsWithTags({ accountId, tags }: UsageFilter): RawBuilder<string> {
  const distinctTags = [...new Set(tags)]
  const ofAccount = accountId === undefined ? sql`` : sql`and account_id = ${accountId}`
  return sql`(select id from tag_sets where tag in (${sql.join(distinctTags)}) ${ofAccount}
    group by account_id, id having count(*) = ${sql.lit(distinctTags.length)})`
}
