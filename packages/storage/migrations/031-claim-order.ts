import type { Migration } from './migration.ts'

/** By which token a person's roles were told last: one that is older than that tells none. */
export const claimOrder: Migration = {
  number: 31,
  name: 'claim-order',
  statements: ({ text, integer, clusteredTableEnd }) => [
    `CREATE TABLE claim_tokens (
      person_id ${text} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      issued_at_s ${integer} NOT NULL
    )${clusteredTableEnd}`,
  ],
}
