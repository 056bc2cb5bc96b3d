import type { Migration } from './migration.ts'

/**
 * Devices that sign in with a code: waiting ones, signed-in ones, and their access tokens. A key created by a
 * sign-in is found again by the next one.
 */
export const deviceSignIns: Migration = {
  number: 15,
  name: 'device-sign-ins',
  statements: ({ text, integer, tableEnd, clusteredTableEnd }) => [
    `ALTER TABLE api_keys ADD COLUMN made_for ${text}`,
    'CREATE INDEX api_keys_made_for ON api_keys (account_id, made_for) WHERE made_for IS NOT NULL',
    `CREATE TABLE device_requests (
      device_code_hash ${text} NOT NULL PRIMARY KEY,
      user_code ${text} NOT NULL UNIQUE,
      client ${text} NOT NULL,
      address ${text} NOT NULL,
      status ${text} NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'used')),
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      account_id ${text} REFERENCES accounts (id),
      key_id ${text} REFERENCES api_keys (id),
      CHECK ((status IN ('approved', 'used')) = (key_id IS NOT NULL))
    )${tableEnd}`,
    'CREATE INDEX device_requests_by_expiry ON device_requests (expires_at_ms)',
    `CREATE TABLE sign_ins (
      id ${text} NOT NULL PRIMARY KEY,
      family_hash ${text} NOT NULL UNIQUE,
      account_id ${text} NOT NULL REFERENCES accounts (id),
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      client ${text} NOT NULL,
      address ${text} NOT NULL,
      salt ${text} NOT NULL,
      refresh_hash ${text} NOT NULL,
      previous_refresh_hash ${text},
      refreshed_at_ms ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL
    )${tableEnd}`,
    'CREATE INDEX sign_ins_by_key ON sign_ins (key_id)',
    'CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at_ms)',
    `CREATE TABLE sign_in_tokens (
      token_hash ${text} NOT NULL PRIMARY KEY,
      sign_in_id ${text} NOT NULL REFERENCES sign_ins (id) ON DELETE CASCADE,
      key_id ${text} NOT NULL,
      expires_at_ms ${integer} NOT NULL
    )${clusteredTableEnd}`,
    'CREATE INDEX sign_in_tokens_by_sign_in ON sign_in_tokens (sign_in_id)',
    'CREATE INDEX sign_in_tokens_by_expiry ON sign_in_tokens (expires_at_ms)',
  ],
}
