import type { Migration } from './migration.ts'

/**
 * Sums over the requests of every endpoint but `chat.completions`, whose share is the difference between the
 * other totals and these. So older totals, and those added by nodes of an earlier version, are correct
 * without being rewritten.
 */
export const usageByEndpoint: Migration = {
  number: 14,
  name: 'usage-by-endpoint',
  statements: ({ engine, text, integer, clusteredTableEnd }) => {
    // As in the other totals.
    const tableEnd = engine === 'postgres' ? ' WITH (fillfactor = 70)' : clusteredTableEnd
    const halves = (sum: string): string[] => [`${sum}_high`, `${sum}_low`]
    const amounts = ['cost', 'baseline', 'vendor_cost', 'costed'].flatMap(halves)
    const integers = ['requests', 'tokens_in', 'tokens_out', ...amounts]
    const totals = (table: string, tagSet: string): string => {
      const key = `period, account_id, ${tagSet}key_id, model, provider, tier, endpoint, outcome`
      return `CREATE TABLE ${table} (
        ${key
          .split(', ')
          .map((column) => `${column} ${text} NOT NULL`)
          .join(', ')},
        ${integers.map((column) => `${column} ${integer} NOT NULL`).join(', ')},
        PRIMARY KEY (${key})
      )${tableEnd}`
    }
    return [totals('usage_endpoint_totals', ''), totals('usage_endpoint_tag_totals', 'tag_set, ')]
  },
}
