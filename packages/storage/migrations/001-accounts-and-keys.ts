import type { Migration } from './migration.ts'

/**
 * Accounts and their API keys. `api_keys (account_id, id)` is unique so that other tables can refer to a key
 * together with its account: no row can then combine an account with another account's key.
 */
export const accountsAndKeys: Migration = {
  number: 1,
  name: 'accounts-and-keys',
  statements: ({ text, integer, tableEnd }) => [
    `CREATE TABLE accounts (
      id ${text} NOT NULL PRIMARY KEY,
      display_name ${text},
      email ${text},
      subject ${text} UNIQUE,
      status ${text} NOT NULL CHECK (status IN ('active', 'suspended', 'closed')),
      tier ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )${tableEnd}`,
    // An account created by email waits for its first login; two of them could not be told apart.
    'CREATE UNIQUE INDEX accounts_awaiting_login ON accounts (email) WHERE subject IS NULL',
    'CREATE INDEX accounts_by_email ON accounts (email)',
    `CREATE TABLE api_keys (
      id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES accounts (id),
      name ${text} NOT NULL,
      key_prefix ${text} NOT NULL,
      key_hash ${text} NOT NULL UNIQUE,
      status ${text} NOT NULL CHECK (status IN ('active', 'revoked')),
      created_at_ms ${integer} NOT NULL,
      last_used_at_ms ${integer},
      revoked_at_ms ${integer},
      expires_at_ms ${integer},
      allowed_models ${text},
      spend_limit_pico ${integer} CHECK (spend_limit_pico >= 0),
      spend_limit_period ${text} CHECK (spend_limit_period IN ('day', 'week', 'month', 'total')),
      UNIQUE (account_id, id),
      CHECK ((status = 'revoked') = (revoked_at_ms IS NOT NULL)),
      CHECK ((spend_limit_pico IS NULL) = (spend_limit_period IS NULL))
    )${tableEnd}`,
  ],
}
