import type { Budget, BudgetDay } from '@turnpike/billing'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Connection } from '../schema.ts'
import { dayMs, dayPeriod } from '../usage/period.ts'
import { joinSum, type WideSum } from '../database/wide-sum.ts'

type BudgetSubject = Pick<Budget, 'accountId' | 'scope' | 'subject'>

/** Days per query; well below the parameter limit of either engine. */
const daysAtOnce = 1_000

/**
 * The daily usage totals of requests that a budget covers, oldest first, without empty days. The ledger's
 * verification proves these totals.
 */
export async function usageByDay(
  connection: Connection,
  budget: BudgetSubject,
  fromMs: number,
  toMs: number,
): Promise<BudgetDay[]> {
  const days: BudgetDay[] = []
  const startMs = Math.floor(fromMs / dayMs) * dayMs
  for (let chunkMs = startMs; chunkMs < toMs; chunkMs += daysAtOnce * dayMs) {
    const endMs = Math.min(toMs, chunkMs + daysAtOnce * dayMs)
    const names: string[] = []
    for (let timeMs = chunkMs; timeMs < endMs; timeMs += dayMs) names.push(dayPeriod(timeMs))
    days.push(...(await usageOfDays(connection, budget, names)))
  }
  return days
}

async function usageOfDays(
  connection: Connection,
  budget: BudgetSubject,
  days: readonly string[],
): Promise<BudgetDay[]> {
  const table = sql.table(budget.scope === 'tag' ? 'usage_tag_totals' : 'usage_totals')
  const { rows } = await sql<WideSum & { period: string; requests: bigint }>`
    select period, sum(requests) as requests, sum(cost_high) as high, sum(cost_low) as low
    from ${table}
    where period in (${sql.join(days)}) and account_id = ${budget.accountId} and outcome <> 'failed'
      and ${conditionOf(budget)}
    group by period order by period
  `.execute(connection)
  return rows.map((row) => ({
    day: row.period.slice(1),
    requests: Number(row.requests),
    spentPico: joinSum(row),
  }))
}

/** A request has one set of tags, so it counts once, even if its tag is repeated. */
function conditionOf({ accountId, scope, subject }: BudgetSubject): RawBuilder<SqlBool> {
  const keysWith = (condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
    sql`key_id in (select id from api_keys where account_id = ${accountId} and ${condition})`
  switch (scope) {
    case 'organization':
      return sql`1 = 1`
    case 'model':
      return sql`model = ${subject}`
    case 'tag':
      return sql`tag_set in (select id from tag_sets where account_id = ${accountId} and tag = ${subject})`
    case 'key':
      return keysWith(sql`coalesce(replaced_by, id) = ${subject}`)
    case 'member':
      return keysWith(sql`member_id = ${subject}`)
    case 'project':
      return keysWith(sql`project_id = ${subject}`)
  }
}

/** How long before its account's creation a request may have started, because clocks differ. */
const clockLeewayMs = 31 * dayMs

/** The time range in which an account may have usage. */
export function allDays(accountMadeAtMs: number, nowMs: number): { fromMs: number; toMs: number } {
  return { fromMs: Math.min(accountMadeAtMs, nowMs) - clockLeewayMs, toMs: nowMs + clockLeewayMs }
}
