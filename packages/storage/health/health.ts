import type {
  HealthDimension,
  HealthFigures,
  HealthFilter,
  HealthGroup,
  HealthStore,
  Percentiles,
} from '@turnpike/gateway'
import { tagKeyOf } from '@turnpike/gateway'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database/database.ts'
import { readAppliedAtMs } from '../migrations/applied-at.ts'
import type { Connection } from '../schema.ts'
import { keysOf } from '../usage/key-owners.ts'
import { netPeriodsOf, periodsOf, type NetPeriods } from '../usage/period.ts'
import { joinSum } from '../database/wide-sum.ts'
import { netSums } from './net-sums.ts'
import { percentileMs, splitTimes } from './time-buckets.ts'
import { countNames, healthNames, timeNames } from './write-health.ts'

/** Of `migrations/021-health.ts`. */
const migrationNumber = 21n

export function healthStore({ read }: Pick<Database, 'read'>): HealthStore {
  return {
    async summary(filter) {
      const [found] = await groupsOf(read, filter, undefined, 1)
      if (found === undefined) return figuresOf(undefined, [])
      const { group: _none, ...figures } = found
      return figures
    },
    groups: (filter, by, limit) => groupsOf(read, filter, by, limit),
    countedSinceMs: () => readAppliedAtMs(read, migrationNumber),
  }
}

/** Null: a bucket that is empty in every row. */
export type SumsRow = { name: string | null } & Record<string, bigint | null>

export interface ErrorRow {
  name: string | null
  error_type: string
  requests: bigint
}

async function groupsOf(
  connection: Connection,
  filter: HealthFilter,
  by: HealthDimension | undefined,
  limit: number,
): Promise<HealthGroup[]> {
  const name = by === undefined ? sql`null` : nameBy(by)
  const of = { periods: periodsFor(filter, by), matching: matches(filter, by) }
  // Errors are read first, so that a request counted between the two reads is not an error without a request.
  const errorNames = { name, error_type: sql`error_type` }
  const errorSums = netSums(connection, {
    table: 'health_errors',
    names: errorNames,
    sums: ['requests'],
    ...of,
  })
  const errors = await sql<ErrorRow>`
    select * from (${errorSums}) as found order by requests desc, error_type
  `.execute(connection)
  const sums = await findNonEmptySums(connection, filter, by)
  const order = isOfTime(by) ? sql`name` : sql`requests desc, name`
  const { rows } = await sql<SumsRow>`
    select * from (${netSums(connection, { table: 'health_totals', names: { name }, sums, ...of })}) as found
    order by ${order} limit ${sql.lit(limit)}
  `.execute(connection)
  const errorsByName = Map.groupBy(errors.rows, ({ name }) => name)
  return rows.map((row) => ({
    group: row.name === '' ? null : row.name,
    ...figuresOf(row, errorsByName.get(row.name) ?? []),
  }))
}

function periodsFor(filter: HealthFilter, by: HealthDimension | undefined): NetPeriods {
  const { fromMs, toMs } = filter
  const longest = by === 'hour' || by === 'day' ? by : 'month'
  // With few rows, subtracting days would cost more than reading them.
  if (longest === 'month' && facetOf(filter, by) !== 'all') return netPeriodsOf(fromMs, toMs, Date.now())
  return { added: periodsOf(fromMs, toMs, longest), taken: [] }
}

/**
 * The columns to sum. Most time buckets are empty in all rows, and summing them would be most of the work;
 * the few rows of facet `all` show which are not.
 */
async function findNonEmptySums(
  connection: Connection,
  filter: HealthFilter,
  by: HealthDimension | undefined,
): Promise<readonly string[]> {
  if (facetOf(filter, by) === 'all') return healthNames
  const { fromMs, toMs, accountId } = filter
  const whole = { fromMs, toMs, ...(accountId !== undefined && { accountId }) }
  const found = await sql<SumsRow>`${netSums(connection, {
    table: 'health_totals',
    names: { name: sql`null` },
    sums: ['requests', ...timeNames],
    periods: { added: netPeriodsOf(fromMs, toMs, Date.now()).added, taken: [] },
    matching: matches(whole, undefined),
  })}`.execute(connection)
  const [row] = found.rows
  return [...countNames, ...timeNames.filter((name) => (row?.[name] ?? null) !== null)]
}

function isOfTime(by: HealthDimension | undefined): boolean {
  return by === 'day' || by === 'hour'
}

/** The expression that names a row's group. */
function nameBy(by: HealthDimension): RawBuilder<string> {
  const key = tagKeyOf(by)
  if (key !== undefined) return sql`substr(value, ${sql.lit(Array.from(key).length + 2)})`
  return { day, hour, model, provider, key: value, tag: value }[by as 'day']
}

const day = sql<string>`substr(period, 2, 10)`
const hour = sql<string>`substr(period, 2, 13) || ':00Z'`
const model = sql<string>`model`
const provider = sql<string>`provider`
const value = sql<string>`value`

/** The rows that match, from one facet, so that each request counts once. */
function matches(filter: HealthFilter, by: HealthDimension | undefined): RawBuilder<unknown> {
  const { accountId, keyId, tag } = filter
  const conditions = [sql`totals.facet = ${facetOf(filter, by)}`]
  if (accountId !== undefined) conditions.push(sql`totals.account_id = ${accountId}`)
  if (keyId !== undefined) conditions.push(sql`totals.value = ${keyId}`)
  const keys = keysOf(filter)
  if (keys !== undefined) conditions.push(sql`totals.value in ${keys}`)
  if (tag !== undefined) conditions.push(sql`totals.value = ${tag}`)
  if (filter.model !== undefined) conditions.push(sql`totals.model = ${filter.model}`)
  if (filter.provider !== undefined) conditions.push(sql`totals.provider = ${filter.provider}`)
  const key = by === undefined ? undefined : tagKeyOf(by)
  // `;` follows `:` in ASCII, so this matches everything that begins with `key:` and continues.
  if (key !== undefined) conditions.push(sql`totals.value > ${`${key}:`} and totals.value < ${`${key};`}`)
  return sql.join(conditions, sql` and `)
}

function facetOf(filter: HealthFilter, by: HealthDimension | undefined): string {
  const { tag, model, provider } = filter
  const isOfKeys = filter.keyId !== undefined || keysOf(filter) !== undefined
  const isByTag = by === 'tag' || by?.startsWith('tag:') === true
  if (tag !== undefined || isByTag) {
    if (isOfKeys || by === 'key') throw new RangeError('health is counted by key and by tag, not by both')
    return 'tag'
  }
  if (isOfKeys || by === 'key') return 'key'
  const isWhole = model === undefined && provider === undefined && (by === undefined || isOfTime(by))
  return isWhole ? 'all' : 'model'
}

export function figuresOf(row: SumsRow | undefined, errors: readonly ErrorRow[]): HealthFigures {
  const sum = (name: string): bigint => row?.[name] ?? 0n
  const times = timeNames.map((name) => splitTimes(sum(name)))
  const timedMs = Number(sum('timed_ms'))
  return {
    requests: Number(sum('requests')),
    completed: Number(sum('completed')),
    errors: errors.map(({ error_type: type, requests }) => ({ type, requests: Number(requests) })),
    firstTokenMs: percentiles(times.map(({ firstToken }) => firstToken)),
    durationMs: percentiles(times.map(({ whole }) => whole)),
    tokensPerSecond: timedMs === 0 ? null : (Number(sum('timed_tokens')) * 1000) / timedMs,
    tokensIn: Number(sum('tokens_in')),
    cacheReadTokens: Number(sum('cache_read_tokens')),
    cacheWriteTokens: Number(sum('cache_write_tokens')),
    savedPico: joinSum({ high: sum('saved_high'), low: sum('saved_low') }),
  }
}

function percentiles(counts: readonly number[]): Percentiles {
  return { p50: percentileMs(counts, 0.5), p95: percentileMs(counts, 0.95) }
}
