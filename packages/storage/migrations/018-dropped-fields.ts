import type { Migration } from './migration.ts'

/**
 * Paths of fields that the caller sent but the vendor did not get, as a JSON array. NULL: none, or the row is
 * older than this column.
 */
export const droppedFields: Migration = {
  number: 18,
  name: 'dropped-fields',
  statements: ({ text }) => [`ALTER TABLE requests ADD COLUMN dropped ${text}`],
}
