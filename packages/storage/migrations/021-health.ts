import type { Migration } from './migration.ts'

/** Of a histogram of times: as many as `health/time-buckets.ts` has. */
const timeBuckets = 64

/**
 * How requests went, summed up by month, day and hour as `usage_totals` are. A request counts once in each
 * `facet`: `all` of its account (with no value, model and provider: a year of it is a few rows), `model` with
 * no value, `key` with its key, and `tag` with each of its tags. `''` stands for no model and no provider.
 * `health_errors` has its errors, by type.
 *
 * A histogram's bucket is a column, which adds up like any other sum: requests by the time of their whole
 * answer, and, times 2^32, by that to their first token. Most are empty: NULL, which takes no room.
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
