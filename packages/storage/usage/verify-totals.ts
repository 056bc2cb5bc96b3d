import { firstIdentifierAt } from '@turnpike/protocol'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Connection } from '../schema.ts'
import { usageEntries } from '../ledger/usage-entries.ts'
import { highSum, joinSum, lowSum, type WideSum } from '../database/wide-sum.ts'
import { dayMs, dayName, dayPeriod, monthPeriod, periodStartMs } from './period.ts'
import { endpointOfRest } from './tally.ts'

const totalsTables = [
  'usage_totals',
  'usage_tag_totals',
  'usage_endpoint_totals',
  'usage_endpoint_tag_totals',
] as const

/** The grouping of the compared sums: by account, or by account and endpoint. */
const byOwner = sql<string>`account_id`
const byEndpoint = sql<string>`account_id || ' ' || endpoint`

function ownersIn(table: (typeof totalsTables)[number]): RawBuilder<string> {
  return table === 'usage_totals' || table === 'usage_tag_totals' ? byOwner : byEndpoint
}

/** Records a comparison, as for `ledger.verify`. */
export type Compare = (subject: string, expected: string, found: string) => void

/**
 * Recomputes the totals day by day: days from requests, while these are kept, and from the ledger's charges;
 * hours, months and tags from days. Only one day is in memory at a time.
 */
export async function verifyTotals(
  transaction: Connection,
  horizonMs: number,
  compare: Compare,
): Promise<void> {
  const charges = await chargesByDay(transaction)
  const months = new Set<string>()
  let startMs = await nextDay(transaction, 0, horizonMs)
  for (; startMs !== undefined; startMs = await nextDay(transaction, startMs + dayMs, horizonMs)) {
    const totals = await verifyDay(transaction, startMs, horizonMs, compare)
    const name = dayName(startMs)
    const costPico = [...totals.values()].reduce((sum, { costPico }) => sum + costPico, 0n)
    compare(`usage totals of ${name} against the ledger`, String(charges.get(name) ?? 0n), String(costPico))
    charges.delete(name)
    months.add(monthPeriod(startMs))
  }
  for (const month of months) await verifyMonth(transaction, month, compare)
  for (const [name, chargedPico] of charges)
    compare(`usage totals of ${name} against the ledger`, String(chargedPico), '0')
}

/** The start of the next day that has totals in this table. */
export async function nextDayIn(
  transaction: Connection,
  table: 'usage_totals' | 'health_totals',
  fromMs: number,
): Promise<number | undefined> {
  const row = await transaction
    .selectFrom(table)
    .select('period')
    .where('period', '>=', dayPeriod(fromMs))
    .where('period', '<', 'e')
    .orderBy('period')
    .limit(1)
    .executeTakeFirst()
  return row && periodStartMs(row.period)
}

/** The start of the next day that has totals or requests. */
async function nextDay(
  transaction: Connection,
  fromMs: number,
  horizonMs: number,
): Promise<number | undefined> {
  const totalsMs = await nextDayIn(transaction, 'usage_totals', fromMs)
  const request = await transaction
    .selectFrom('requests')
    .select('started_at_ms')
    .where('id', '>=', firstIdentifierAt('req', Math.max(fromMs, horizonMs)))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const days: number[] = []
  if (totalsMs !== undefined) days.push(totalsMs)
  if (request !== undefined) days.push(Math.floor(Number(request.started_at_ms) / dayMs) * dayMs)
  const later = days.filter((startMs) => startMs >= fromMs)
  return later.length === 0 ? undefined : Math.min(...later)
}

interface Sums {
  text: string
  costPico: bigint
}

/** By account, or by account and endpoint. */
type SumsByAccount = Map<string, Sums>

async function verifyDay(
  transaction: Connection,
  startMs: number,
  horizonMs: number,
  compare: Compare,
): Promise<SumsByAccount> {
  const name = dayName(startMs)
  const ofDay = sql`period = ${dayPeriod(startMs)}`
  const totals = await totalsByAccount(transaction, 'usage_totals', ofDay)
  const tagTotals = await totalsByAccount(transaction, 'usage_tag_totals', ofDay)
  compareAll(compare, `usage totals by tag of ${name}`, totals, tagTotals)
  compareAll(
    compare,
    `usage totals by endpoint and tag of ${name}`,
    await totalsByAccount(transaction, 'usage_endpoint_totals', ofDay, byEndpoint),
    await totalsByAccount(transaction, 'usage_endpoint_tag_totals', ofDay, byEndpoint),
  )
  if (startMs < horizonMs) return totals
  const requests = await requestsByAccount(transaction, startMs)
  compareAll(compare, `usage totals of ${name}`, requests, totals)
  compareAll(
    compare,
    `usage totals by endpoint of ${name}`,
    await requestsByAccount(transaction, startMs, sql`endpoint <> ${endpointOfRest}`, byEndpoint),
    await totalsByAccount(transaction, 'usage_endpoint_totals', ofDay, byEndpoint),
  )
  const ofHours = sql`period >= ${`h${name}`} and period < ${`h${name}U`}`
  for (const table of totalsTables)
    compareAll(
      compare,
      `hours of ${name} in ${table}`,
      await totalsByAccount(transaction, table, ofDay, ownersIn(table)),
      await totalsByAccount(transaction, table, ofHours, ownersIn(table)),
    )
  return totals
}

async function verifyMonth(transaction: Connection, month: string, compare: Compare): Promise<void> {
  const days = `d${month.slice(1)}`
  for (const table of totalsTables) {
    const ofDays = sql`period >= ${days} and period < ${`${days}.`}`
    const owners = ownersIn(table)
    const expected = await totalsByAccount(transaction, table, ofDays, owners)
    const found = await totalsByAccount(transaction, table, sql`period = ${month}`, owners)
    compareAll(compare, `month ${month.slice(1)} in ${table}`, expected, found)
  }
}

function compareAll(compare: Compare, what: string, expected: SumsByAccount, found: SumsByAccount): void {
  for (const accountId of new Set([...expected.keys(), ...found.keys()]))
    compare(
      `${what}, ${accountId}`,
      expected.get(accountId)?.text ?? 'nothing',
      found.get(accountId)?.text ?? 'nothing',
    )
}

interface SumsRow extends WideSum {
  owner: string
  requests: bigint
  tokens_in: bigint
  tokens_out: bigint
  baseline_high: WideSum['high']
  baseline_low: WideSum['low']
  vendor_cost_high: WideSum['high']
  vendor_cost_low: WideSum['low']
  costed_high: WideSum['high']
  costed_low: WideSum['low']
}

async function totalsByAccount(
  transaction: Connection,
  table: (typeof totalsTables)[number],
  condition: RawBuilder<unknown>,
  owner = byOwner,
): Promise<SumsByAccount> {
  const { rows } = await sql<SumsRow>`
    select ${owner} as owner, sum(requests) as requests,
      sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out,
      sum(cost_high) as high, sum(cost_low) as low,
      sum(baseline_high) as baseline_high, sum(baseline_low) as baseline_low,
      sum(vendor_cost_high) as vendor_cost_high, sum(vendor_cost_low) as vendor_cost_low,
      sum(costed_high) as costed_high, sum(costed_low) as costed_low
    from ${sql.table(table)} where ${condition} group by ${owner}
  `.execute(transaction)
  return byAccount(rows)
}

async function requestsByAccount(
  transaction: Connection,
  startMs: number,
  condition: RawBuilder<SqlBool> = sql`1 = 1`,
  owner = byOwner,
): Promise<SumsByAccount> {
  const rows = await transaction
    .selectFrom('requests')
    .where('id', '>=', firstIdentifierAt('req', startMs))
    .where('id', '<', firstIdentifierAt('req', startMs + dayMs))
    .where(condition)
    .groupBy(owner)
    .select((builder) => [
      owner.as('owner'),
      builder.fn.countAll<bigint>().as('requests'),
      builder.fn.sum<bigint>('tokens_in').as('tokens_in'),
      builder.fn.sum<bigint>('tokens_out').as('tokens_out'),
      highSum('charge_pico').as('high'),
      lowSum('charge_pico').as('low'),
      sql<WideSum['high']>`sum(coalesce(baseline_pico, charge_pico) >> 32)`.as('baseline_high'),
      sql<WideSum['low']>`sum(coalesce(baseline_pico, charge_pico) & 4294967295)`.as('baseline_low'),
      highSum('vendor_cost_pico').as('vendor_cost_high'),
      lowSum('vendor_cost_pico').as('vendor_cost_low'),
      sumOfCosted('charge_pico >> 32').as('costed_high'),
      sumOfCosted('charge_pico & 4294967295').as('costed_low'),
    ])
    .execute()
  return byAccount(rows)
}

/** For requests whose vendor cost is known. */
function sumOfCosted(half: string): RawBuilder<bigint | null> {
  return sql`sum(case when vendor_cost_pico is null then 0 else ${sql.raw(half)} end)`
}

function byAccount(rows: readonly SumsRow[]): SumsByAccount {
  return new Map(
    rows.map((row) => {
      const costPico = joinSum(row)
      const baselinePico = joinSum({ high: row.baseline_high, low: row.baseline_low })
      const tokens = `${row.tokens_in} + ${row.tokens_out} tokens`
      const baseline = baselinePico === costPico ? '' : ` (${baselinePico} at the baseline model)`
      const vendorCostPico = joinSum({ high: row.vendor_cost_high, low: row.vendor_cost_low })
      const costedPico = joinSum({ high: row.costed_high, low: row.costed_low })
      const isUnmarked = costedPico === costPico && vendorCostPico === costPico
      const vendor = isUnmarked ? '' : ` (of it ${costedPico} for a vendor cost of ${vendorCostPico})`
      const text = `${row.requests} requests, ${tokens}, ${costPico} pico-USD${baseline}${vendor}`
      return [row.owner, { text, costPico }]
    }),
  )
}

/** Charges have the date of their requests. */
async function chargesByDay(transaction: Connection): Promise<Map<string, bigint>> {
  const dayOf = (column: string): RawBuilder<bigint> => sql`${sql.ref(column)} / ${sql.lit(dayMs)}`
  const transfers = await transaction
    .selectFrom('ledger_transfers')
    .where('kind', '=', 'usage')
    .groupBy(dayOf('created_at_ms'))
    .select([
      dayOf('created_at_ms').as('day'),
      highSum('amount_pico').as('high'),
      lowSum('amount_pico').as('low'),
    ])
    .execute()
  const entries = await usageEntries(transaction)
    .clearSelect()
    .groupBy(dayOf('started_at_ms'))
    .select([
      dayOf('started_at_ms').as('day'),
      highSum('charge_pico').as('high'),
      lowSum('charge_pico').as('low'),
    ])
    .execute()
  const charges = new Map<string, bigint>()
  for (const row of [...transfers, ...entries]) {
    const name = dayName(Number(row.day) * dayMs)
    charges.set(name, (charges.get(name) ?? 0n) + joinSum(row))
  }
  return charges
}
