import type { Migration } from './migration.ts'

/** Keys that the gateway creates for the playground: at most one per account. */
export const playgroundKeys: Migration = {
  number: 22,
  name: 'playground-keys',
  statements: ({ text }) => [
    `ALTER TABLE api_keys ADD COLUMN purpose ${text} CHECK (purpose IN ('playground'))`,
    'CREATE UNIQUE INDEX api_keys_purpose ON api_keys (account_id, purpose) WHERE purpose IS NOT NULL',
  ],
}
