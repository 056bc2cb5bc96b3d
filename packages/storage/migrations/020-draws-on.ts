import type { Migration } from './migration.ts'

/** The key whose credit a key uses; NULL: its own. A request's row names the key that paid for it. */
export const drawsOn: Migration = {
  number: 20,
  name: 'draws-on',
  statements: ({ text }) => [
    `ALTER TABLE api_keys ADD COLUMN draws_on ${text} REFERENCES api_keys (id) CHECK (draws_on <> id)`,
    'CREATE INDEX api_keys_drawing ON api_keys (draws_on) WHERE draws_on IS NOT NULL',
    `ALTER TABLE requests ADD COLUMN paid_by ${text}`,
  ],
}
