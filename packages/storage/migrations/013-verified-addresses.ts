import { canonicalEmail } from '@turnpike/identity'
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import type { Migration } from './migration.ts'

/**
 * A login belongs to a generation of its user, and ends when the user's generation is raised. An invitation
 * records whether it was made with the internal secret; for older ones that is assumed not to be so.
 * Addresses are rewritten in canonical spelling.
 */
export const verifiedAddresses: Migration = {
  number: 13,
  name: 'verified-addresses',
  statements: ({ integer }) => [
    `ALTER TABLE identity_users ADD COLUMN login_generation ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE identity_invites ADD COLUMN by_secret ${integer} NOT NULL DEFAULT 0
      CHECK (by_secret IN (0, 1))`,
    'CREATE INDEX accounts_of_operators ON accounts (id) WHERE operator = 1',
  ],
  async rewrite(transaction) {
    await respellUsers(transaction)
    for (const table of ['accounts', 'identity_invites'] as const)
      for (const { id, email } of await oddlySpelled(transaction, table))
        if (table === 'identity_invites' || !(await isAwaited(transaction, email)))
          await transaction.updateTable(table).set({ email }).where('id', '=', id).execute()
  },
}

/** If two users turn out to have the same address, the one who has it in canonical spelling keeps it. */
async function respellUsers(transaction: Connection): Promise<void> {
  for (const { id, email } of await oddlySpelled(transaction, 'identity_users')) {
    const other = await transaction
      .selectFrom('identity_users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    if (other === undefined)
      await transaction.updateTable('identity_users').set({ email }).where('id', '=', id).execute()
  }
}

/** Whether an account with this address waits for its first login: there can be only one. */
async function isAwaited(transaction: Connection, email: string): Promise<boolean> {
  const waiting = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('subject', 'is', null)
    .executeTakeFirst()
  return waiting !== undefined
}

/**
 * Rows whose address has a different canonical spelling, with that spelling. Addresses were stored in lower
 * case, which is already canonical for most.
 */
async function oddlySpelled(
  transaction: Connection,
  table: 'accounts' | 'identity_users' | 'identity_invites',
): Promise<{ id: string; email: string }[]> {
  const beyondAscii =
    engineOf(transaction) === 'sqlite' ? sql<boolean>`email GLOB '*[^ -~]*'` : sql<boolean>`email ~ '[^ -~]'`
  const rows = await transaction
    .selectFrom(table)
    .select(['id', 'email'])
    .where((expression) => expression.or([beyondAscii, expression('email', 'like', '%.')]))
    .execute()
  return rows.flatMap(({ id, email }) => {
    const canonical = email === null ? null : canonicalEmail(email)
    return canonical === null || canonical === email ? [] : [{ id, email: canonical }]
  })
}
