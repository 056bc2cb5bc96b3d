import type { Migration } from './migration.ts'

/** How requests with a key treat fields that a vendor cannot honour: `refuse`, `drop`, or not set. */
export const unsupportedFields: Migration = {
  number: 16,
  name: 'unsupported-fields',
  statements: ({ text }) => [
    `ALTER TABLE api_keys ADD COLUMN unsupported_fields ${text}
      CHECK (unsupported_fields IN ('refuse', 'drop'))`,
  ],
}
