import type { Migration } from './migration.ts'

/**
 * Sums over requests, from which usage figures are read: by month and day (UTC), kept forever, and by hour,
 * kept as long as the requests. `period` is `m2026-03`, `d2026-03-15` or `h2026-03-15T07`. '' stands for no
 * model, provider, tier or tags, since a key cannot hold NULL. A sum of amounts may exceed 64 bits, so its
 * halves are summed separately. `usage_tag_totals` has the same sums by set of tags: there are often few
 * sets, even with many tags per request. `tag_sets` lists the tags of a set. Figures without tags are read
 * from `usage_totals`, which stays small whatever callers write into tags.
 */
export const usageTotals: Migration = {
  number: 4,
  name: 'usage-totals',
  statements: ({ engine, text, integer, clusteredTableEnd }) => {
    // Current rows change with every batch: free space in their pages keeps the changes in place.
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
