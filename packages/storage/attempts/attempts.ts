import {
  kindOfAttempt,
  type AttemptFilter,
  type AttemptPeriod,
  type AttemptResult,
  type AttemptStore,
  type UpstreamAttempts,
} from '@turnpike/gateway'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database/database.ts'
import { readAppliedAtMs } from '../migrations/applied-at.ts'
import type { Connection } from '../schema.ts'
import { isInPeriods } from '../usage/filter.ts'
import { periodsOf } from '../usage/period.ts'

/** Of `migrations/024-operations.ts`. */
const migrationNumber = 24n
const maxUpstreams = 1_000
const maxRows = 20_000

interface ResultRow {
  provider: string
  model: string
  result: string
  attempts: bigint
  last_request_id: string
  last_at_ms: bigint
}

export function attemptStore({ read }: Pick<Database, 'read'>): AttemptStore {
  return {
    async upstreams(filter) {
      const { rows } = await sql<ResultRow>`
        select provider, model, result, cast(sum(attempts) as bigint) as attempts,
          max(last_request_id) as last_request_id, max(last_at_ms) as last_at_ms
        from attempt_totals as totals where ${matches(read, filter, 'day')}
        group by provider, model, result order by 4 desc limit ${sql.lit(maxRows)}
      `.execute(read)
      const upstreams = Map.groupBy(rows, ({ provider, model }) => `${provider}\n${model}`)
      return [...upstreams.values()]
        .map(toUpstream)
        .toSorted((left, right) => right.failures - left.failures || right.attempts - left.attempts)
        .slice(0, maxUpstreams)
    },
    periods: (filter, by) => periods(read, filter, by),
    countedSinceMs: () => readAppliedAtMs(read, migrationNumber),
  }
}

async function periods(
  read: Connection,
  filter: AttemptFilter,
  by: 'day' | 'hour',
): Promise<AttemptPeriod[]> {
  const { rows } = await sql<{ period: string; result: string; attempts: bigint }>`
    select period, result, cast(sum(attempts) as bigint) as attempts
    from attempt_totals as totals where ${matches(read, filter, by)} group by period, result order by period
  `.execute(read)
  const found = new Map<string, AttemptPeriod>()
  for (const { period, result, attempts } of rows) {
    const kind = kindOfAttempt(result)
    if (kind === 'unjudged') continue
    const name = by === 'day' ? period.slice(1) : `${period.slice(1)}:00Z`
    const sums = found.get(name) ?? { period: name, attempts: 0, failures: 0 }
    sums.attempts += Number(attempts)
    if (kind === 'failed') sums.failures += Number(attempts)
    found.set(name, sums)
  }
  return [...found.values()]
}

function matches(
  connection: Connection,
  { fromMs, toMs, provider, model }: AttemptFilter,
  longest: 'day' | 'hour',
): RawBuilder<unknown> {
  const conditions = [isInPeriods(connection, periodsOf(fromMs, toMs, longest))]
  if (provider !== undefined) conditions.push(sql`provider = ${provider}`)
  if (model !== undefined) conditions.push(sql`model = ${model}`)
  return sql.join(conditions, sql` and `)
}

function toUpstream(rows: readonly ResultRow[]): UpstreamAttempts {
  const { provider, model } = rows[0]!
  const results = rows.map(toResult)
  const sum = (...kinds: ReturnType<typeof kindOfAttempt>[]): number =>
    results.reduce(
      (total, { result, attempts }) => total + (kinds.includes(kindOfAttempt(result)) ? attempts : 0),
      0,
    )
  return {
    provider,
    model,
    attempts: sum('answered', 'failed', 'refused'),
    failures: sum('failed'),
    refusals: sum('refused'),
    unjudged: sum('unjudged'),
    results,
  }
}

function toResult(row: ResultRow): AttemptResult {
  return {
    result: row.result,
    attempts: Number(row.attempts),
    lastRequestId: row.last_request_id,
    lastAtMs: Number(row.last_at_ms),
  }
}
