import { bulkAdd, bulkInsert, type BulkColumn, type BulkValue } from '../database/bulk.ts'
import type { Connection } from '../schema.ts'
import { splitSum } from '../database/wide-sum.ts'
import { dayPeriod, hourMs, hourPeriod, monthPeriod } from './period.ts'
import { canonicalTags, type TagSets } from './tag-sets.ts'
import { endpointOfRest, type Amounts, type Tally } from './tally.ts'

export type StoredSets = Pick<Tally, 'accountId' | 'tagSet'>[]

/**
 * Adds newly inserted requests to the totals, in the transaction of their rows.
 * @returns the sets of tags that are stored once this transaction is committed
 */
export async function addToTotals(
  transaction: Connection,
  tallies: readonly Tally[],
  tagSets: TagSets,
): Promise<StoredSets> {
  const newSets = tallies.filter(
    ({ accountId, tagSet }) => tagSet !== '' && !tagSets.isStored(accountId, tagSet),
  )
  await bulkInsert(transaction, {
    table: 'tag_sets',
    columns: tagSetColumns,
    values: tagSetValues(newSets),
    ignoreConflicts: true,
  })
  await bulkAdd(transaction, {
    table: 'usage_totals',
    keys: [...ownerColumns, ...restColumns],
    amounts,
    values: totalValues(tallies, ({ accountId, rest }) => [accountId, ...rest]),
  })
  await bulkAdd(transaction, {
    table: 'usage_tag_totals',
    keys: [...ownerColumns, tagSetColumn, ...restColumns],
    amounts,
    values: totalValues(tallies, ({ accountId, tagSet, rest }) => [accountId, tagSet, ...rest]),
  })
  const others = tallies.filter(({ endpoint }) => endpoint !== endpointOfRest)
  await bulkAdd(transaction, {
    table: 'usage_endpoint_totals',
    keys: [...ownerColumns, endpointColumn, ...restColumns],
    amounts,
    values: totalValues(others, ({ accountId, endpoint, rest }) => [accountId, endpoint, ...rest]),
  })
  await bulkAdd(transaction, {
    table: 'usage_endpoint_tag_totals',
    keys: [...ownerColumns, endpointColumn, tagSetColumn, ...restColumns],
    amounts,
    values: totalValues(others, ({ accountId, endpoint, tagSet, rest }) => [
      accountId,
      endpoint,
      tagSet,
      ...rest,
    ]),
  })
  return newSets
}

const text = (name: string): BulkColumn => ({ name, type: 'text' })
const integer = (name: string): BulkColumn => ({ name, type: 'bigint' })

const ownerColumns = ['period', 'account_id'].map(text)
const tagSetColumn = text('tag_set')
const endpointColumn = text('endpoint')
const restColumns = ['key_id', 'model', 'provider', 'tier', 'outcome'].map(text)
/** The summed columns, in the order of the values. */
export const amountNames = [
  'requests',
  'tokens_in',
  'tokens_out',
  'cost_high',
  'cost_low',
  'baseline_high',
  'baseline_low',
  'vendor_cost_high',
  'vendor_cost_low',
  'costed_high',
  'costed_low',
]
const amounts = amountNames.map(integer)
const tagSetColumns = ['account_id', 'id', 'tag'].map(text)

interface Total extends Amounts {
  keys: readonly string[]
}

/** A row for each hour, day and month, in the order of their keys, so that no two writers deadlock. */
function totalValues(tallies: readonly Tally[], keysOf: (tally: Tally) => string[]): BulkValue[] {
  const totals = new Map<string, Total>()
  for (const tally of tallies) {
    const owner = keysOf(tally)
    const startMs = tally.hour * hourMs
    for (const period of [monthPeriod(startMs), dayPeriod(startMs), hourPeriod(startMs)]) {
      const keys = [period, ...owner]
      const key = keys.join('\n')
      const total = totals.get(key)
      if (total === undefined) {
        const { requests, tokensIn, tokensOut, costPico, baselinePico, vendorCostPico, costedPico } = tally
        const amounts = { requests, tokensIn, tokensOut, costPico, baselinePico, vendorCostPico, costedPico }
        totals.set(key, { keys, ...amounts })
        continue
      }
      total.requests += tally.requests
      total.tokensIn += tally.tokensIn
      total.tokensOut += tally.tokensOut
      total.costPico += tally.costPico
      total.baselinePico += tally.baselinePico
      total.vendorCostPico += tally.vendorCostPico
      total.costedPico += tally.costedPico
    }
  }
  const values: BulkValue[] = []
  for (const key of [...totals.keys()].sort()) {
    const { keys, requests, tokensIn, tokensOut, costPico, baselinePico, vendorCostPico, costedPico } =
      totals.get(key)!
    values.push(...keys, requests, tokensIn, tokensOut)
    for (const pico of [costPico, baselinePico, vendorCostPico, costedPico]) {
      const { high, low } = splitSum(pico)
      values.push(high, low)
    }
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
