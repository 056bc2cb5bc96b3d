import type { Migration } from './migration.ts'

/**
 * What vendors are owed, beside what was charged. Of a request from before, or of one that an older node
 * writes meanwhile, it is unknown (NULL). A total counts such requests in its cost alone: `costed` is the
 * cost of those whose vendor cost is in `vendor_cost`, so that the two make a margin, and the rest is known
 * to be unknown.
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
