import type { Migration } from './migration.ts'

/**
 * Sums over requests, of which usage figures are read: by month and day (UTC), kept for ever, and by hour,
 * kept as long as the requests. `period` is `m2026-03`, `d2026-03-15` or `h2026-03-15T07`; '' stands for no
 * model, provider, tier or tags, since a key cannot hold NULL. A sum of amounts outgrows 64 bits, so its
 * halves are summed apart.
 *
 * `usage_tag_totals` is the same by set of tags: sets are often few, where the tags of requests are many.
 * `tag_sets` says which tags a set has. Questions that are not about tags read `usage_totals`: it stays small
 * whatever callers write into tags.
 */
export const usageTotals: Migration = {
  number: 4,
  name: 'usage-totals',
  statements: ({ engine, text, integer, clusteredTableEnd }) => {
    // The rows of now change with every batch: room in their pages keeps the changes there.
    const tableEnd = engine === 'postgres' ? ' WITH (fillfactor = 70)' : clusteredTableEnd
    const totals = (table: string, tagSet: { column: string; key: string }): string =>
      `CREATE TABLE ${table} (
        period ${text} NOT NULL,
        account_id ${text} NOT NULL,
        ${tagSet.column}
        key_id ${text} NOT NULL,
        model ${text} NOT NULL,
        provider ${text} NOT NULL,
        tier ${text} NOT NULL,
        outcome ${text} NOT NULL,
        requests ${integer} NOT NULL,
        tokens_in ${integer} NOT NULL,
        tokens_out ${integer} NOT NULL,
        cost_high ${integer} NOT NULL,
        cost_low ${integer} NOT NULL,
        PRIMARY KEY (period, account_id, ${tagSet.key} key_id, model, provider, tier, outcome)
      )${tableEnd}`
    return [
      totals('usage_totals', { column: '', key: '' }),
      totals('usage_tag_totals', { column: `tag_set ${text} NOT NULL,`, key: 'tag_set,' }),
      `CREATE TABLE tag_sets (
        account_id ${text} NOT NULL,
        id ${text} NOT NULL,
        tag ${text} NOT NULL,
        PRIMARY KEY (account_id, id, tag)
      )${clusteredTableEnd}`,
      'CREATE INDEX tag_sets_by_tag ON tag_sets (tag, account_id, id)',
      `CREATE TABLE request_horizon (
        one ${integer} NOT NULL PRIMARY KEY CHECK (one = 1),
        dropped_before_ms ${integer} NOT NULL
      )`,
      'INSERT INTO request_horizon (one, dropped_before_ms) VALUES (1, 0)',
    ]
  },
}
