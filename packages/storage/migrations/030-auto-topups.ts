import type { Migration } from './migration.ts'

/**
 * Automatic top-ups: payment methods saved at a checkout, when and how much is charged to them, and the
 * running attempt. Checkouts opened by the link of a 402: one per key. Which keys give such links; null: as
 * the account says, and for an account, the default of its kind.
 */
export const autoTopups: Migration = {
  number: 30,
  name: 'auto-topups',
  statements: ({ text, integer, tableEnd, clusteredTableEnd }) => [
    `ALTER TABLE accounts ADD COLUMN keys_may_top_up ${integer} CHECK (keys_may_top_up IN (0, 1))`,
    `ALTER TABLE api_keys ADD COLUMN may_top_up ${integer} CHECK (may_top_up IN (0, 1))`,
    `ALTER TABLE topups ADD COLUMN origin ${text} NOT NULL DEFAULT 'checkout'
      CHECK (origin IN ('checkout', 'auto', 'link'))`,
    `ALTER TABLE topups ADD COLUMN saves_method ${text} NOT NULL DEFAULT 'no'
      CHECK (saves_method IN ('no', 'wanted', 'done'))`,
    `ALTER TABLE topups ADD COLUMN method_id ${text}`,
    `ALTER TABLE topups ADD COLUMN failure ${text}`,
    `ALTER TABLE topups ADD COLUMN tax_pico ${integer} NOT NULL DEFAULT 0 CHECK (tax_pico >= 0)`,
    `CREATE UNIQUE INDEX topups_open_link ON topups (account_id, coalesce(key_id, ''))
      WHERE origin = 'link' AND paid_pico = 0 AND expired = 0`,
    `CREATE INDEX topups_by_link ON topups (account_id, id) WHERE origin = 'link'`,
    `CREATE INDEX topups_auto ON topups (account_id, id) WHERE origin = 'auto'`,
    `CREATE INDEX topups_method_wanted ON topups (id) WHERE saves_method = 'wanted' AND paid_pico > 0`,
    `CREATE TABLE payment_methods (
      id ${text} NOT NULL PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES accounts (id),
      processor ${text} NOT NULL,
      customer_id ${text} NOT NULL,
      method_id ${text} NOT NULL,
      kind ${text} NOT NULL,
      brand ${text},
      last4 ${text},
      expires_month ${text},
      status ${text} NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'removed')),
      saved_by_topup ${text} NOT NULL REFERENCES topups (id),
      created_at_ms ${integer} NOT NULL,
      UNIQUE (processor, method_id),
      UNIQUE (account_id, id)
    )${tableEnd}`,
    'CREATE INDEX payment_methods_by_topup ON payment_methods (saved_by_topup)',
    `CREATE TABLE auto_topups (
      account_id ${text} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      enabled ${integer} NOT NULL CHECK (enabled IN (0, 1)),
      threshold_pico ${integer} NOT NULL CHECK (threshold_pico > 0),
      amount_pico ${integer} NOT NULL CHECK (amount_pico > 0),
      monthly_cap_pico ${integer} NOT NULL CHECK (monthly_cap_pico >= amount_pico),
      payment_method_id ${text} NOT NULL,
      state ${text} NOT NULL
        CHECK (state IN ('idle', 'charging', 'needs_action', 'waiting', 'stopped')),
      topup_id ${text},
      action_topup_id ${text},
      attempts_failed ${integer} NOT NULL CHECK (attempts_failed >= 0),
      next_at_ms ${integer} NOT NULL,
      failure ${text},
      capped_month ${text},
      updated_at_ms ${integer} NOT NULL,
      FOREIGN KEY (account_id, payment_method_id) REFERENCES payment_methods (account_id, id),
      CHECK (state <> 'charging' OR topup_id IS NOT NULL),
      CHECK (state <> 'needs_action' OR action_topup_id IS NOT NULL)
    )${clusteredTableEnd}`,
    `CREATE TABLE installation_secrets (
      purpose ${text} NOT NULL PRIMARY KEY,
      secret ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )${clusteredTableEnd}`,
    `CREATE INDEX auto_topups_due ON auto_topups (next_at_ms) WHERE enabled = 1 OR state = 'charging'`,
  ],
}
