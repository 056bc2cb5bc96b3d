import { bulkAdd, type BulkColumn, type BulkValue } from '../database/bulk.ts'
import type { Connection } from '../schema.ts'
import { dayPeriod, hourMs, hourPeriod, monthPeriod } from '../usage/period.ts'
import { splitSum } from '../database/wide-sum.ts'
import { addTo, noHealth, type HealthAmounts, type HealthTally } from './tally.ts'
import { timeBucketCount } from './time-buckets.ts'

const keyColumns: BulkColumn[] = ['period', 'account_id', 'facet', 'value', 'model', 'provider'].map(
  (name) => ({ name, type: 'text' }),
)

export const timeNames = Array.from({ length: timeBucketCount }, (_, bucket) => `times_${bucket}`)

export const countNames = [
  'requests',
  'completed',
  'tokens_in',
  'cache_read_tokens',
  'cache_write_tokens',
  'saved_high',
  'saved_low',
  'timed_tokens',
  'timed_ms',
]

/** The summed columns, in the order of the values. */
export const healthNames = [...countNames, ...timeNames]

const plainColumns = countNames.map(integer)
const timeColumns = timeNames.map((name): BulkColumn => ({ ...integer(name), isSparse: true }))
/** A batch names only the bucket columns that it uses, in steps, so that there are few statements. */
const bucketStep = 8

function integer(name: string): BulkColumn {
  return { name, type: 'bigint' }
}

/** Adds newly inserted requests, in the transaction of their rows. */
export async function addToHealth(transaction: Connection, tallies: readonly HealthTally[]): Promise<void> {
  const buckets = bucketsOf(tallies)
  await bulkAdd(transaction, {
    table: 'health_totals',
    keys: keyColumns,
    amounts: [...plainColumns, ...buckets.map((bucket) => timeColumns[bucket]!)],
    values: totalValues(tallies, buckets),
  })
  await bulkAdd(transaction, {
    table: 'health_errors',
    keys: [...keyColumns, { name: 'error_type', type: 'text' }],
    amounts: [integer('requests')],
    values: errorValues(tallies),
  })
}

/** The range from the first to the last non-empty bucket. */
function bucketsOf(tallies: readonly HealthTally[]): number[] {
  let [first, last] = [timeBucketCount, -1]
  for (const { times } of tallies)
    for (const bucket of times.keys()) {
      if (bucket < first) first = bucket
      if (bucket > last) last = bucket
    }
  const from = Math.floor(first / bucketStep) * bucketStep
  const end = Math.ceil((last + 1) / bucketStep) * bucketStep
  return Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index)
}

/** The row keys for each hour, day and month that the tally belongs to. */
function rowKeysOf({ hour, keys }: HealthTally): string[][] {
  const startMs = hour * hourMs
  return [monthPeriod(startMs), dayPeriod(startMs), hourPeriod(startMs)].map((period) => [period, ...keys])
}

/** In the order of their keys, so that no two writers deadlock. */
function totalValues(tallies: readonly HealthTally[], buckets: readonly number[]): BulkValue[] {
  const rows = new Map<string, { keys: string[]; sum: HealthAmounts }>()
  for (const tally of tallies)
    for (const keys of rowKeysOf(tally)) {
      const name = keys.join('\n')
      let row = rows.get(name)
      if (row === undefined) {
        row = { keys, sum: noHealth() }
        rows.set(name, row)
      }
      addTo(row.sum, tally)
    }
  return [...rows.keys()].sort().flatMap((name) => {
    const { keys, sum } = rows.get(name)!
    return [...keys, ...amountValues(sum, buckets)]
  })
}

function amountValues(sum: HealthAmounts, buckets: readonly number[]): BulkValue[] {
  const { high, low } = splitSum(sum.savedPico)
  const cache = [sum.cacheReadTokens, sum.cacheWriteTokens, high, low]
  const counts = [sum.requests, sum.completed, sum.tokensIn, ...cache, sum.timedTokens, sum.timedMs]
  return [...counts, ...buckets.map((bucket) => sum.times.get(bucket) ?? null)]
}

function errorValues(tallies: readonly HealthTally[]): BulkValue[] {
  const rows = new Map<string, { keys: string[]; requests: number }>()
  for (const tally of tallies)
    for (const [errorType, requests] of tally.errors)
      for (const keys of rowKeysOf(tally)) {
        const name = [...keys, errorType].join('\n')
        const row = rows.get(name)
        if (row === undefined) rows.set(name, { keys: [...keys, errorType], requests })
        else row.requests += requests
      }
  return [...rows.keys()].sort().flatMap((name) => {
    const { keys, requests } = rows.get(name)!
    return [...keys, requests]
  })
}
