import type { Migration } from './migration.ts'

/** Buckets of a histogram of durations, as in `health/time-buckets.ts`. */
const timeBuckets = 64

/**
 * How requests went, summed by month, day and hour like `usage_totals`. A request counts once in each
 * `facet`: `all` of its account (without value, model and provider: a year of it is a few rows), `model`
 * (without value), `key` with its key, and `tag` with each of its tags. `''` stands for no model and no
 * provider. `health_errors` has the errors by type. A bucket of a histogram is a column that adds up like any
 * other sum: requests by total duration plus, times 2^32, requests by time to first token. Most buckets are
 * empty: NULL takes no room.
 */
export const health: Migration = {
  number: 21,
  name: 'health',
  statements: ({ engine, text, integer, clusteredTableEnd }) => {
    const tableEnd = engine === 'postgres' ? ' WITH (fillfactor = 70)' : clusteredTableEnd
    const table = (name: string, keys: readonly string[], amounts: readonly string[]): string =>
      `CREATE TABLE ${name} (
        ${keys.map((key) => `${key} ${text} NOT NULL`).join(', ')},
        ${amounts.join(', ')},
        PRIMARY KEY (${keys.join(', ')})
      )${tableEnd}`
    const notNullColumn = (name: string): string => `${name} ${integer} NOT NULL`
    const keys = ['period', 'account_id', 'facet', 'value', 'model', 'provider']
    const cache = ['cache_read_tokens', 'cache_write_tokens', 'saved_high', 'saved_low']
    const counts = ['requests', 'completed', 'tokens_in', ...cache, 'timed_tokens', 'timed_ms']
    const times = Array.from({ length: timeBuckets }, (_, bucket) => `times_${bucket}`)
    return [
      table('health_totals', keys, [
        ...counts.map(notNullColumn),
        ...times.map((name) => `${name} ${integer}`),
      ]),
      table('health_errors', [...keys, 'error_type'], [notNullColumn('requests')]),
    ]
  },
}
