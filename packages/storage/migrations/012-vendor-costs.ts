import type { Migration } from './migration.ts'

/**
 * What is owed to vendors, beside what was charged. It is unknown (NULL) for requests from before this, or
 * written by an older node meanwhile. A total counts such requests only in its cost: `costed` is the cost of
 * those whose vendor cost is in `vendor_cost`, so that the two give a margin.
 */
export const vendorCosts: Migration = {
  number: 12,
  name: 'vendor-costs',
  statements: ({ integer }) => [
    `ALTER TABLE requests ADD COLUMN vendor_cost_pico ${integer}`,
    ...['usage_totals', 'usage_tag_totals'].flatMap((table) =>
      ['vendor_cost_high', 'vendor_cost_low', 'costed_high', 'costed_low'].map(
        (column) => `ALTER TABLE ${table} ADD COLUMN ${column} ${integer} NOT NULL DEFAULT 0`,
      ),
    ),
  ],
}
