import { outcomes } from '@turnpike/protocol'
import { sql } from 'kysely'
import { bulkInsert, type BulkColumn, type BulkValue } from '../database/bulk.ts'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { dayMs, periodsOf } from '../usage/period.ts'
import { TagSets } from '../usage/tag-sets.ts'
import { amountNames } from '../usage/write-totals.ts'
import { splitSum } from '../database/wide-sum.ts'
import { insertHealth } from './generated-health.ts'
import { randomFrom } from './random.ts'

/** Totals as if one account had sent this many requests. */
export interface GeneratedUsage {
  accountId: string
  keyIds: readonly string[]
  requests: number
  days: number
  /** The end of the last day. */
  toMs: number
}

const models = ['openai/gpt-5', 'openai/gpt-5-mini', 'openai/gpt-5-nano', 'anthropic/claude-opus']
models.push('anthropic/claude-sonnet', 'anthropic/claude-haiku', 'google/gemini-pro', 'google/gemini-flash')
const tiers = ['', '', 'SIMPLE', 'COMPLEX']
const features = 24
const failedEvery = 20
const combinationCount = 3_000
/** Weights fall by rank like those of words: some combinations occur every hour, most rarely. */
const harmonic = Array.from({ length: combinationCount }, (_, rank) => 1 / (rank + 1)).reduce((a, b) => a + b)

/**
 * Writes a row with tags for each day and combination, from which the database computes all other totals.
 * Writes no single requests.
 * @returns the number of requests, and of rows in both tables of totals
 */
export async function generateUsage(
  { engine, write }: Pick<Database, 'engine' | 'write'>,
  usage: GeneratedUsage,
): Promise<{ requests: number; rows: number }> {
  const random = randomFrom(usage.requests)
  const combinations = combinationsOf(usage, random)
  const days = periodsOf(usage.toMs - usage.days * dayMs, usage.toMs, 'day')
  const perDay = usage.requests / (days.length * harmonic)
  let requests = 0
  await write.transaction().execute(async (transaction) => {
    for (const day of days) {
      const values: BulkValue[] = []
      for (const [rank, keys] of combinations.entries()) {
        const count = Math.floor((perDay / (rank + 1)) * (0.5 + random()) + random())
        requests += count
        if (count > 0) values.push(day, usage.accountId, ...keys, ...amountsOf(count))
      }
      const insert = { table: 'usage_tag_totals' as const, columns, values, ignoreConflicts: false }
      await bulkInsert(transaction, insert)
    }
    await insertTagSets(transaction, usage.accountId, combinations)
    await insertOtherTotals(transaction)
    await insertHealth(transaction, usage.toMs)
  })
  if (engine === 'postgres')
    await sql`vacuum analyze usage_totals, usage_tag_totals, health_totals, health_errors`.execute(write)
  return { requests, rows: await countTotals(write) }
}

const keyNames = ['tag_set', 'key_id', 'model', 'provider', 'tier', 'outcome']
const columns: BulkColumn[] = [
  ...['period', 'account_id', ...keyNames].map((name) => ({ name, type: 'text' as const })),
  ...amountNames.map((name) => ({ name, type: 'bigint' as const })),
]

/** A key belongs to a team and an environment. One combination in five has no tags. */
const tagsOf = (key: number, feature: number): string[] => [
  key % 3 === 0 ? 'env:test' : 'env:live',
  `team:${key % 12}`,
  `feature:${feature}`,
]

/** Each combination once, in the order of `keyNames`. */
function combinationsOf({ keyIds }: GeneratedUsage, random: () => number): string[][] {
  const below = (count: number): number => Math.floor(random() * count)
  const tagSets = new TagSets()
  const combinations = new Map<string, string[]>()
  while (combinations.size < combinationCount) {
    const key = below(keyIds.length)
    const tagSet = below(5) === 0 ? '' : tagSets.idOf(tagsOf(key, below(features)))
    const model = models[below(models.length)]!
    const outcome = below(failedEvery) === 0 ? outcomes[1 + below(outcomes.length - 1)]! : outcomes[0]
    const keys = [tagSet, keyIds[key]!, model, model.split('/')[0]!, tiers[below(tiers.length)]!, outcome]
    combinations.set(keys.join(' '), keys)
  }
  return [...combinations.values()]
}

function amountsOf(requests: number): BulkValue[] {
  const { high, low } = splitSum(BigInt(requests) * 1_234_567_891n)
  const halves = [high, low]
  return [requests, requests * 1_800, requests * 420, ...halves, ...halves, ...halves, ...halves]
}

async function insertTagSets(
  transaction: Connection,
  accountId: string,
  combinations: readonly string[][],
): Promise<void> {
  const used = new Set(combinations.map(([tagSet]) => tagSet))
  const tagSets = new TagSets()
  const rows: { account_id: string; id: string; tag: string }[] = []
  for (let key = 0; key < 12; key++)
    for (let feature = 0; feature < features; feature++) {
      const tags = tagsOf(key, feature)
      const id = tagSets.idOf(tags)
      if (used.has(id)) rows.push(...tags.map((tag) => ({ account_id: accountId, id, tag })))
    }
  await transaction.insertInto('tag_sets').values(rows).execute()
}

/** The hours of the days (each day in two halves), the months, and everything without tags. */
async function insertOtherTotals(transaction: Connection): Promise<void> {
  const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)))
  const sums = sql.join(amountNames.map((name) => sql`sum(${sql.ref(name)})`))
  const keys = names(['account_id', ...keyNames])
  const plainKeys = names(['account_id', ...keyNames.slice(1)])
  const amounts = names(amountNames)
  const morning = sql.join(amountNames.map((name) => sql`${sql.ref(name)} / 2`))
  const evening = sql.join(amountNames.map((name) => sql`${sql.ref(name)} - ${sql.ref(name)} / 2`))
  const isDay = sql`period >= 'd' and period < 'e'`
  const statements = [
    sql`insert into usage_tag_totals (period, ${keys}, ${amounts})
        select 'm' || substr(period, 2, 7), ${keys}, ${sums} from usage_tag_totals where ${isDay}
        group by substr(period, 2, 7), ${keys}`,
    sql`insert into usage_tag_totals (period, ${keys}, ${amounts})
        select 'h' || substr(period, 2, 10) || 'T09', ${keys}, ${morning} from usage_tag_totals
        where ${isDay} and requests > 1`,
    sql`insert into usage_tag_totals (period, ${keys}, ${amounts})
        select 'h' || substr(period, 2, 10) || 'T15', ${keys}, ${evening} from usage_tag_totals
        where ${isDay}`,
    sql`insert into usage_totals (period, ${plainKeys}, ${amounts})
        select period, ${plainKeys}, ${sums} from usage_tag_totals group by period, ${plainKeys}`,
    // Half of what can be halved comes from another endpoint.
    sql`insert into usage_endpoint_tag_totals (period, endpoint, ${keys}, ${amounts})
        select period, 'messages', ${keys}, ${morning} from usage_tag_totals where requests > 1`,
    sql`insert into usage_endpoint_totals (period, endpoint, ${plainKeys}, ${amounts})
        select period, endpoint, ${plainKeys}, ${sums} from usage_endpoint_tag_totals
        group by period, endpoint, ${plainKeys}`,
  ]
  for (const statement of statements) await statement.execute(transaction)
}

async function countTotals(connection: Connection): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    select (select count(*) from usage_totals) + (select count(*) from usage_tag_totals) as total
  `.execute(connection)
  return Number(rows[0]!.total)
}
