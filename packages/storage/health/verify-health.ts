import { healthHourDays } from '@turnpike/gateway'
import { sql, type RawBuilder } from 'kysely'
import type { Connection } from '../schema.ts'
import { dayMs, dayName, dayPeriod, monthPeriod, periodStartMs } from '../usage/period.ts'
import { nextDayIn, type Compare } from '../usage/verify-totals.ts'
import { joinSum, type WideSum } from '../database/wide-sum.ts'
import { timeNames } from './write-health.ts'

/**
 * Compares health rollups with each other and with the usage totals, with one day in memory at a time: `all`
 * with the sums over models and over keys, hours and months with days, histograms with the number of their
 * answers. A day may have fewer requests than its usage totals, because nodes of an older release running at
 * the same time do not count health.
 */
export async function verifyHealth(transaction: Connection, compare: Compare): Promise<void> {
  const months = new Set<string>()
  const hoursFromMs = (await lastDay(transaction)) - (healthHourDays - 2) * dayMs
  let startMs = await nextDayIn(transaction, 'health_totals', 0)
  for (; startMs !== undefined; startMs = await nextDayIn(transaction, 'health_totals', startMs + dayMs)) {
    const figures = await verifyDay(transaction, startMs, compare)
    if (startMs >= hoursFromMs) await verifyHours(transaction, startMs, figures, compare)
    months.add(monthPeriod(startMs))
  }
  for (const month of months) {
    const days = `d${month.slice(1)}`
    const expected = await figuresOf(transaction, sql`period >= ${days} and period < ${`${days}.`}`)
    const found = await figuresOf(transaction, sql`period = ${month}`)
    compareAll(compare, `health of month ${month.slice(1)}`, expected, found)
  }
}

/** The start of the last day with health counts; 0 if there is none. */
async function lastDay(transaction: Connection): Promise<number> {
  const row = await transaction
    .selectFrom('health_totals')
    .select('period')
    .where('period', '<', 'e')
    .orderBy('period', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? 0 : periodStartMs(row.period)
}

/** Verifies the hours of the last weeks. Older hours are deleted, always whole days at once. */
async function verifyHours(
  transaction: Connection,
  startMs: number,
  days: Figures,
  compare: Compare,
): Promise<void> {
  const name = dayName(startMs)
  const hours = await figuresOf(transaction, sql`period >= ${`h${name}`} and period < ${`h${name}U`}`)
  if (hours.size > 0) compareAll(compare, `hours of health of ${name}`, days, hours)
}

async function verifyDay(transaction: Connection, startMs: number, compare: Compare): Promise<Figures> {
  const name = dayName(startMs)
  const days = await figuresOf(transaction, sql`period = ${dayPeriod(startMs)}`)
  const used = await usageOf(transaction, dayPeriod(startMs))
  for (const [owner, { facet, accountId, text, requests, tokensIn, completed, timed }] of days) {
    compare(`times of health of ${name}, ${owner}`, String(completed), String(timed))
    if (facet !== 'all') continue
    for (const other of ['model', 'key'] as const)
      compare(
        `health by ${other} of ${name}, ${accountId}`,
        text,
        days.get(`${accountId} ${other}`)?.text ?? 'nothing',
      )
    const most = used.get(accountId) ?? { requests: 0n, tokensIn: 0n }
    compareAtMost(compare, `requests of health of ${name}, ${accountId}`, most.requests, requests)
    compareAtMost(compare, `tokens of health of ${name}, ${accountId}`, most.tokensIn, tokensIn)
  }
  return days
}

function compareAtMost(compare: Compare, subject: string, most: bigint, found: bigint): void {
  if (found > most) compare(subject, `at most ${most}`, String(found))
  else compare(subject, 'in bounds', 'in bounds')
}

/** By account and facet. */
type Figures = Map<string, FacetFigures>

interface FacetFigures {
  accountId: string
  facet: string
  text: string
  requests: bigint
  completed: bigint
  tokensIn: bigint
  /** Answers in the histogram of durations. */
  timed: bigint
}

function compareAll(compare: Compare, what: string, expected: Figures, found: Figures): void {
  for (const owner of new Set([...expected.keys(), ...found.keys()]))
    compare(`${what}, ${owner}`, expected.get(owner)?.text ?? 'nothing', found.get(owner)?.text ?? 'nothing')
}

interface FigureRow extends WideSum {
  account_id: string
  facet: string
  requests: bigint
  completed: bigint
  tokens_in: bigint
  read: bigint
  written: bigint
  timed_tokens: bigint
  timed_ms: bigint
  times: bigint
}

async function figuresOf(transaction: Connection, condition: RawBuilder<unknown>): Promise<Figures> {
  const whole = sql.join(
    timeNames.map((name) => sql`(coalesce(${sql.ref(name)}, 0) & 4294967295)`),
    sql` + `,
  )
  const { rows } = await sql<FigureRow>`
    select account_id, facet, sum(requests) as requests, sum(completed) as completed,
      sum(tokens_in) as tokens_in, sum(cache_read_tokens) as read, sum(cache_write_tokens) as written,
      sum(saved_high) as high, sum(saved_low) as low, sum(timed_tokens) as timed_tokens,
      sum(timed_ms) as timed_ms, sum(${whole}) as times
    from health_totals where ${condition} group by account_id, facet
  `.execute(transaction)
  const errors = await errorsOf(transaction, condition)
  return new Map(
    rows.map((row) => {
      const { account_id: accountId, facet, requests, completed, tokens_in: tokensIn } = row
      const owner = `${accountId} ${facet}`
      const cache = `${row.read} read, ${row.written} written, ${joinSum(row)} pico-USD saved`
      const timed = `${row.timed_tokens} tokens in ${row.timed_ms} ms`
      const text =
        `${requests} requests (${completed} completed), ${tokensIn} tokens; cache: ${cache}; ${timed}; ` +
        `errors: ${errors.get(owner) ?? 'none'}`
      return [owner, { accountId, facet, text, requests, completed, tokensIn, timed: row.times }]
    }),
  )
}

async function errorsOf(
  transaction: Connection,
  condition: RawBuilder<unknown>,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ owner: string; error_type: string; requests: bigint }>`
    select account_id || ' ' || facet as owner, error_type, sum(requests) as requests
    from health_errors where ${condition} group by 1, 2 order by 1, 2
  `.execute(transaction)
  const texts = Map.groupBy(rows, ({ owner }) => owner)
  return new Map(
    [...texts].map(([owner, errors]) => [
      owner,
      errors.map(({ error_type: type, requests }) => `${requests} ${type}`).join(', '),
    ]),
  )
}

async function usageOf(
  transaction: Connection,
  period: string,
): Promise<Map<string, { requests: bigint; tokensIn: bigint }>> {
  const { rows } = await sql<{ account_id: string; requests: bigint; tokens_in: bigint }>`
    select account_id, cast(sum(requests) as bigint) as requests, cast(sum(tokens_in) as bigint) as tokens_in
    from usage_totals where period = ${period} group by account_id
  `.execute(transaction)
  return new Map(
    rows.map(({ account_id: id, requests, tokens_in: tokensIn }) => [id, { requests, tokensIn }]),
  )
}
