import { readPaidBy } from '../billing-details/paid-by.ts'
import type { Connection } from '../schema.ts'
import type { Migration } from './migration.ts'

/**
 * Logins at the embedded provider, so that people can see and end them; and the name and address on receipts,
 * which a paid top-up keeps. Older receipts get the account's current details once.
 */
export const settings: Migration = {
  number: 23,
  name: 'settings',
  statements: ({ text, integer, tableEnd }) => [
    `CREATE TABLE identity_sessions (
      id ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL,
      login_generation ${integer} NOT NULL,
      kind ${text} NOT NULL CHECK (kind IN ('browser', 'command_line')),
      browser_uid ${text} UNIQUE,
      user_agent ${text} NOT NULL,
      address ${text} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      last_used_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      ended_at_ms ${integer}
    )${tableEnd}`,
    'CREATE INDEX identity_sessions_by_user ON identity_sessions (user_id)',
    'CREATE INDEX identity_sessions_by_expiry ON identity_sessions (expires_at_ms)',
    'CREATE INDEX sign_ins_by_account ON sign_ins (account_id)',
    `CREATE TABLE billing_details (
      account_id ${text} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      details ${text} NOT NULL,
      updated_at_ms ${integer} NOT NULL
    )${tableEnd}`,
    `ALTER TABLE topups ADD COLUMN paid_by ${text}`,
    `CREATE INDEX ledger_transfers_but_usage ON ledger_transfers (account_id, id) WHERE kind <> 'usage'`,
  ],
  rewrite: keepPayers,
}

async function keepPayers(transaction: Connection): Promise<void> {
  const accounts = await transaction
    .selectFrom('topups')
    .select('account_id')
    .distinct()
    .where('paid_at_ms', 'is not', null)
    .execute()
  for (const { account_id: accountId } of accounts)
    await transaction
      .updateTable('topups')
      .set({ paid_by: JSON.stringify(await readPaidBy(transaction, accountId)) })
      .where('account_id', '=', accountId)
      .where('paid_at_ms', 'is not', null)
      .execute()
}
