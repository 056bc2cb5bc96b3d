import type { RequestRecord } from '@turnpike/gateway'
import type { Kysely } from 'kysely'
import { bulkAdd, bulkInsert, type BulkColumn, type BulkValue } from '../bulk.ts'
import type { Engine } from '../database.ts'
import type { Schema } from '../schema.ts'
import { splitSum } from '../wide-sum.ts'
import { dayPeriod, hourMs, hourPeriod } from './period.ts'
import { canonicalTags, type TagSets } from './tag-sets.ts'

/** What the requests of a batch come to that have all of this in common. */
interface Tally {
  hour: number
  accountId: string
  tagSet: string
  tags: readonly string[]
  /** In the order of the table's key: key, model, provider, tier, outcome. */
  rest: readonly string[]
  requests: number
  tokensIn: number
  tokensOut: number
  costPico: bigint
}

export type StoredSets = Pick<Tally, 'accountId' | 'tagSet'>[]

/**
 * Adds requests that were newly inserted to the totals, in the transaction of their rows.
 * @returns the sets of tags that are stored once this transaction is committed
 */
export async function addToTotals(
  engine: Engine,
  transaction: Kysely<Schema>,
  records: readonly RequestRecord[],
  tagSets: TagSets,
): Promise<StoredSets> {
  const tallies = tally(records, tagSets)
  const newSets = tallies.filter(
    ({ accountId, tagSet }) => tagSet !== '' && !tagSets.isStored(accountId, tagSet),
  )
  await bulkInsert(engine, transaction, {
    table: 'tag_sets',
    columns: tagSetColumns,
    values: tagSetValues(newSets),
    ignoreConflicts: true,
  })
  await bulkAdd(engine, transaction, {
    table: 'usage_totals',
    keys: [...ownerColumns, ...restColumns],
    amounts,
    values: totalValues(tallies, ({ accountId, rest }) => [accountId, ...rest]),
  })
  await bulkAdd(engine, transaction, {
    table: 'usage_tag_totals',
    keys: [...ownerColumns, tagSetColumn, ...restColumns],
    amounts,
    values: totalValues(tallies, ({ accountId, tagSet, rest }) => [accountId, tagSet, ...rest]),
  })
  return newSets
}

const text = (name: string): BulkColumn => ({ name, type: 'text' })
const integer = (name: string): BulkColumn => ({ name, type: 'bigint' })

const ownerColumns = ['period', 'account_id'].map(text)
const tagSetColumn = text('tag_set')
const restColumns = ['key_id', 'model', 'provider', 'tier', 'outcome'].map(text)
const amounts = ['requests', 'tokens_in', 'tokens_out', 'cost_high', 'cost_low'].map(integer)
const tagSetColumns = ['account_id', 'id', 'tag'].map(text)

/** One entry a distinct combination: of them there are few, of requests many. */
function tally(records: readonly RequestRecord[], tagSets: TagSets): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const record of records) {
    const { accountId, keyId, modelServed, provider, tier, outcome, tags } = record
    const hour = Math.floor(Math.round(record.startedAtMs) / hourMs)
    const tagSet = tagSets.idOf(tags)
    const key = `${hour} ${keyId} ${tagSet} ${modelServed}\n${provider}\n${tier}\n${outcome}`
    let same = tallies.get(key)
    if (same === undefined) {
      const rest = [keyId, modelServed ?? '', provider ?? '', tier ?? '', outcome]
      same = { hour, accountId, tagSet, tags, rest, requests: 0, tokensIn: 0, tokensOut: 0, costPico: 0n }
      tallies.set(key, same)
    }
    same.requests++
    same.tokensIn += record.tokensIn
    same.tokensOut += record.tokensOut
    same.costPico += record.chargePico
  }
  return [...tallies.values()]
}

interface Total extends Pick<Tally, 'requests' | 'tokensIn' | 'tokensOut' | 'costPico'> {
  keys: readonly string[]
}

/** A row for each hour and each day, in the order of their keys: no two writers wait for each other. */
function totalValues(tallies: readonly Tally[], keysOf: (tally: Tally) => string[]): BulkValue[] {
  const totals = new Map<string, Total>()
  for (const tally of tallies) {
    const owner = keysOf(tally)
    const startMs = tally.hour * hourMs
    for (const period of [dayPeriod(startMs), hourPeriod(startMs)]) {
      const keys = [period, ...owner]
      const key = keys.join('\n')
      const total = totals.get(key)
      if (total === undefined) {
        const { requests, tokensIn, tokensOut, costPico } = tally
        totals.set(key, { keys, requests, tokensIn, tokensOut, costPico })
        continue
      }
      total.requests += tally.requests
      total.tokensIn += tally.tokensIn
      total.tokensOut += tally.tokensOut
      total.costPico += tally.costPico
    }
  }
  const values: BulkValue[] = []
  for (const key of [...totals.keys()].sort()) {
    const { keys, requests, tokensIn, tokensOut, costPico } = totals.get(key)!
    const { high, low } = splitSum(costPico)
    values.push(...keys, requests, tokensIn, tokensOut, high, low)
  }
  return values
}

function tagSetValues(sets: readonly Pick<Tally, 'accountId' | 'tagSet' | 'tags'>[]): BulkValue[] {
  const byKey = new Map(sets.map((set) => [`${set.accountId} ${set.tagSet}`, set]))
  return [...byKey.keys()].sort().flatMap((key) => {
    const { accountId, tagSet, tags } = byKey.get(key)!
    return canonicalTags(tags).flatMap((tag) => [accountId, tagSet, tag])
  })
}
