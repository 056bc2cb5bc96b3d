import type { Migration } from './migration.ts'

/**
 * What identity providers say about an account's user, and the tables of the embedded provider. An account
 * that an operator created by email is found by that address; an account with an unverified address is not.
 */
export const identity: Migration = {
  number: 6,
  name: 'identity',
  statements: ({ text, integer, tableEnd, clusteredTableEnd }) => [
    `ALTER TABLE accounts ADD COLUMN email_verified ${integer} NOT NULL DEFAULT 0`,
    // The name last sent by the provider. A name that the user chose here is kept until that changes.
    `ALTER TABLE accounts ADD COLUMN claimed_name ${text}`,
    'UPDATE accounts SET email_verified = 1 WHERE subject IS NULL',
    `CREATE TABLE identity_users (
      id ${text} NOT NULL PRIMARY KEY,
      email ${text} NOT NULL UNIQUE,
      email_verified ${integer} NOT NULL CHECK (email_verified IN (0, 1)),
      name ${text},
      password_hash ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )${tableEnd}`,
    `CREATE TABLE identity_states (
      kind ${text} NOT NULL,
      id ${text} NOT NULL,
      payload ${text} NOT NULL,
      uid ${text},
      user_code ${text},
      grant_id ${text},
      consumed_at_ms ${integer},
      expires_at_ms ${integer},
      PRIMARY KEY (kind, id)
    )${tableEnd}`,
    index('identity_states_by_uid', 'uid'),
    // Two devices must never show the same code.
    index('identity_states_by_user_code', 'user_code', 'UNIQUE'),
    index('identity_states_by_grant', 'grant_id'),
    index('identity_states_by_expiry', 'expires_at_ms'),
    `CREATE TABLE identity_secrets (
      purpose ${text} NOT NULL CHECK (purpose IN ('signing', 'cookies')),
      number ${integer} NOT NULL,
      secret ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      PRIMARY KEY (purpose, number)
    )${clusteredTableEnd}`,
    `CREATE TABLE identity_invites (
      id ${text} NOT NULL PRIMARY KEY,
      code_hash ${text} NOT NULL UNIQUE,
      email ${text},
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      used_at_ms ${integer},
      used_by ${text} REFERENCES identity_users (id),
      CHECK ((used_at_ms IS NULL) = (used_by IS NULL))
    )${tableEnd}`,
  ],
}

/** Partial, because most of these columns are empty in most rows. */
function index(name: string, column: string, unique = ''): string {
  return `CREATE ${unique} INDEX ${name} ON identity_states (${column}) WHERE ${column} IS NOT NULL`
}
