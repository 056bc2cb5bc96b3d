import { healthHourDays } from '@turnpike/gateway'
import { sql, type RawBuilder } from 'kysely'
import { healthNames, timeNames } from '../health/write-health.ts'
import type { Connection } from '../schema.ts'
import { dayMs, hourPeriod } from '../usage/period.ts'

const none = sql`''`

/** From 100 ms to 1.5 s: a model's durations are spread over these buckets. */
const usedBuckets = [12, 28] as const

/** Health rows as the requests of the usage totals would have left them. Old hours are left out. */
export async function insertHealth(transaction: Connection, toMs: number): Promise<void> {
  const firstHour = hourPeriod(toMs - healthHourDays * dayMs)
  const isKept = sql`(period < 'h' or (period >= ${firstHour} and period < 'i'))`
  const plain = sql`usage_totals where ${isKept}`
  const tagged = sql`usage_tag_totals join tag_sets on tag_sets.account_id = usage_tag_totals.account_id
    and tag_sets.id = usage_tag_totals.tag_set where ${isKept}`
  for (const [facet, value, model, provider, rows] of [
    ['all', none, none, none, plain],
    ['model', none, sql`model`, sql`provider`, plain],
    ['key', sql`key_id`, sql`model`, sql`provider`, plain],
    ['tag', sql`tag`, sql`model`, sql`provider`, tagged],
  ] as const)
    await insertFacet(transaction, { facet, names: [value, model, provider], rows })
  await insertYearBefore(transaction)
  await insertMonths(transaction)
}

/** Exactly the sums of their days, as a gateway counts them. */
async function insertMonths(transaction: Connection): Promise<void> {
  const keys = ['account_id', 'facet', 'value', 'model', 'provider']
  for (const [table, names, sums] of [
    ['health_totals', keys, healthNames],
    ['health_errors', [...keys, 'error_type'], ['requests']],
  ] as const) {
    const columns = sql.join(names.map((name) => sql.ref(name)))
    const amounts = sql.join(sums.map((name) => sql.ref(name)))
    const summed = sql.join(sums.map((name) => sql`sum(${sql.ref(name)})`))
    await sql`
      insert into ${sql.table(table)} (period, ${columns}, ${amounts})
      select 'm' || substr(period, 2, 7), ${columns}, ${summed} from ${sql.table(table)}
      where period < 'e' group by substr(period, 2, 7), ${columns}
    `.execute(transaction)
  }
}

/** Days of the year before, which figures are compared with. */
async function insertYearBefore(transaction: Connection): Promise<void> {
  const keys = ['account_id', 'facet', 'value', 'model', 'provider']
  const year = sql`(cast(substr(period, 2, 4) as integer) - 1)`
  const earlier = sql`substr(period, 1, 1) || ${year} || substr(period, 6)`
  for (const [table, names] of [
    ['health_totals', [...keys, ...healthNames]],
    ['health_errors', [...keys, 'error_type', 'requests']],
  ] as const) {
    const columns = sql.join(names.map((name) => sql.ref(name)))
    await sql`
      insert into ${sql.table(table)} (period, ${columns})
      select ${earlier}, ${columns} from ${sql.table(table)} as found
      where period < 'e' on conflict do nothing
    `.execute(transaction)
  }
}

interface Facet {
  facet: string
  /** Value, model and provider. */
  names: readonly RawBuilder<unknown>[]
  rows: RawBuilder<unknown>
}

async function insertFacet(transaction: Connection, { facet, names, rows }: Facet): Promise<void> {
  const account = facet === 'tag' ? sql`usage_tag_totals.account_id` : sql`account_id`
  const keys = sql.join([sql`period`, account, sql`cast(${facet} as text)`, ...names])
  const groups = sql.join([sql`period`, account, ...names.filter((name) => name !== none)])
  const completed = sql`sum(case when outcome = 'completed' then requests else 0 end)`
  const columns = sql.join(healthNames.map((name) => sql.ref(name)))
  const sums = [
    sql`sum(requests)`,
    completed,
    sql`sum(tokens_in)`,
    sql`sum(tokens_in) / 2`,
    sql`sum(tokens_in) / 9`,
    sql`sum(cost_high)`,
    sql`sum(cost_low)`,
    sql`sum(tokens_out)`,
    sql`sum(requests) * 900`,
  ]
  const times = timeNames.map((_name, bucket) =>
    bucket < usedBuckets[0] || bucket >= usedBuckets[1] ? sql`null` : sql`(${completed} / 16) * 4294967297`,
  )
  await sql`
    insert into health_totals (period, account_id, facet, value, model, provider, ${columns})
    select ${keys}, ${sql.join([...sums, ...times])} from ${rows} group by ${groups}
  `.execute(transaction)
  await sql`
    insert into health_errors (period, account_id, facet, value, model, provider, error_type, requests)
    select ${keys}, outcome, sum(requests) from ${rows} and outcome <> 'completed' group by ${groups}, outcome
  `.execute(transaction)
}
