import type { Migration } from './migration.ts'

/**
 * Paths of what a request's vendor was not sent though its caller asked for it, as a JSON array. NULL:
 * nothing was left out, or the row is from before this was kept.
 */
export const droppedFields: Migration = {
  number: 18,
  name: 'dropped-fields',
  statements: ({ text }) => [`ALTER TABLE requests ADD COLUMN dropped ${text}`],
}
