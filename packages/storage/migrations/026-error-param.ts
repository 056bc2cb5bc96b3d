import type { Migration } from './migration.ts'

/** The field that a request's error named. NULL: none, or the row is older than this column. */
export const errorParam: Migration = {
  number: 26,
  name: 'error-param',
  statements: ({ text }) => [`ALTER TABLE requests ADD COLUMN error_param ${text}`],
}
