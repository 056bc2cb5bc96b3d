import { canonicalEmail } from '@turnpike/identity'
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import type { Migration } from './migration.ts'

/**
 * A login is of a generation of its user's, and ends when that is raised. An invitation knows whether it was
 * made with the internal secret: those from before were not, as far as anybody can tell. Addresses are
 * written in one spelling.
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

/** Of two users whose addresses turn out to be the same, the one who wrote it in our spelling keeps it. */
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

/** Whether an account of this address waits for its first login: there can be one alone. */
async function isAwaited(transaction: Connection, email: string): Promise<boolean> {
  const waiting = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('subject', 'is', null)
    .executeTakeFirst()
  return waiting !== undefined
}

/** Rows whose address has another spelling now, with that. They were in lower case, which is all for most. */
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
