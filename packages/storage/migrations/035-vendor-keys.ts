import { refuse, wordList, type Migration } from './migration.ts'

const statuses = ['active', 'disabled']

/**
 * Accounts' own vendor keys, sealed before they are stored. An account's `vendor_keys_version` increases with
 * every change to one; 0: it never had any. Nodes of an older version do not use them; those that do set
 * `knows_vendor_keys`. For a request that such a key answered, `own_cost_pico` is what its owner owes the
 * vendor by our prices (NULL with `is_byok`: there is no price).
 */
export const vendorKeys: Migration = {
  number: 35,
  name: 'vendor-keys',
  statements: (words) => {
    const { text, integer, bytes, tableEnd } = words
    return [
      `CREATE TABLE vendor_keys (
        id ${text} NOT NULL PRIMARY KEY,
        account_id ${text} NOT NULL REFERENCES accounts (id),
        provider ${text} NOT NULL,
        name ${text} NOT NULL,
        last4 ${text} NOT NULL,
        status ${text} NOT NULL CHECK (status IN (${wordList(statuses)})),
        allows_shared ${integer} NOT NULL CHECK (allows_shared IN (0, 1)),
        position ${integer} NOT NULL,
        version ${integer} NOT NULL DEFAULT 1,
        created_at_ms ${integer} NOT NULL,
        updated_at_ms ${integer} NOT NULL,
        last_used_at_ms ${integer},
        refused_at_ms ${integer},
        key_name ${text} NOT NULL,
        sealed ${bytes} NOT NULL
      )${tableEnd}`,
      'CREATE UNIQUE INDEX vendor_keys_by_name ON vendor_keys (account_id, provider, name)',
      'CREATE INDEX vendor_keys_by_sealing_key ON vendor_keys (key_name, id)',
      `ALTER TABLE accounts ADD COLUMN vendor_keys_version ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE nodes ADD COLUMN knows_vendor_keys ${integer} NOT NULL DEFAULT 0
        CHECK (knows_vendor_keys IN (0, 1))`,
      `ALTER TABLE requests ADD COLUMN is_byok ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE requests ADD COLUMN own_cost_pico ${integer}`,
      ...refuse(words, {
        name: 'vendor_keys_keep_their_account',
        on: 'BEFORE UPDATE OF account_id, provider ON vendor_keys',
        when: 'NEW.account_id <> OLD.account_id OR NEW.provider <> OLD.provider',
        message: 'whose a vendor key is never changes',
      }),
    ]
  },
}
