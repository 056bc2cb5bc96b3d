import type { Migration } from './migration.ts'

/**
 * How auto-routing chose for a request, and what the request would have cost at the baseline model. In the
 * sums of the latter, every other request counts with its own cost, so that it saves nothing. Also the model
 * that an account calls its baseline.
 */
export const autoRouting: Migration = {
  number: 9,
  name: 'auto-routing',
  statements: ({ text, integer }) => [
    `ALTER TABLE requests ADD COLUMN route ${text}`,
    `ALTER TABLE requests ADD COLUMN baseline_pico ${integer}`,
    ...['usage_totals', 'usage_tag_totals'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN baseline_high ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE ${table} ADD COLUMN baseline_low ${integer} NOT NULL DEFAULT 0`,
      `UPDATE ${table} SET baseline_high = cost_high, baseline_low = cost_low`,
    ]),
    `ALTER TABLE accounts ADD COLUMN baseline_model ${text}`,
  ],
}
