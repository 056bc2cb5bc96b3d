import type { Migration } from './migration.ts'

/** What becomes of fields that a vendor cannot honour in requests with a key: `refuse`, `drop`, or unsaid. */
export const unsupportedFields: Migration = {
  number: 16,
  name: 'unsupported-fields',
  statements: ({ text }) => [
    `ALTER TABLE api_keys ADD COLUMN unsupported_fields ${text}
      CHECK (unsupported_fields IN ('refuse', 'drop'))`,
  ],
}
