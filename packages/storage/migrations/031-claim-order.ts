import type { Migration } from './migration.ts'

/** The token that last set a person's roles: older tokens change nothing. */
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
