import { ledgerAccountId } from '@turnpike/billing'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Connection } from '../schema.ts'

/**
 * Charges in the ledger. The row of a charged request is itself the entry (`is_entry`): a transfer from the
 * key that paid to the operator's revenue. It becomes a row of `ledger_transfers` before it is deleted, and
 * when a correction refers to it.
 */

const usagePrefix = 'usage:'
const identifierStart = 'led_'.length + 1

/** The ledger account that a request is charged to. */
export const debitedAccount = sql<string>`'key:' || coalesce(requests.paid_by, requests.key_id)`

/** Charges in the columns of transfers. The identifier is that of the request with another prefix. */
export function usageEntries(connection: Connection) {
  return connection
    .selectFrom('requests')
    .where('is_entry', '=', 1n)
    .select([
      sql<string>`'led_' || substr(id, ${sql.lit(identifierStart)})`.as('id'),
      sql<string>`'usage'`.as('kind'),
      sql<string>`${sql.lit(usagePrefix)} || id`.as('reference'),
      debitedAccount.as('debit_account'),
      sql<string>`${sql.lit(ledgerAccountId.operator('revenue'))}`.as('credit_account'),
      'charge_pico as amount_pico',
      'account_id',
      sql<string | null>`id`.as('request_id'),
      sql<string | null>`null`.as('reason'),
      sql<string | null>`null`.as('corrects_transfer_id'),
      'started_at_ms as created_at_ms',
    ])
}

/** The identifier of the request whose charge has this entry. */
export function requestIdOfEntry(entryId: string): string {
  return `req_${entryId.slice(identifierStart - 1)}`
}

/**
 * Posts charges as transfers. The same transaction must delete their rows, or set `is_entry` to 0.
 * @param which selects rows that are entries
 */
export async function postEntries(
  transaction: Connection,
  table: string,
  which: RawBuilder<SqlBool>,
): Promise<void> {
  await sql`
    insert into ledger_transfers (id, kind, reference, debit_account, credit_account, amount_pico, account_id,
      request_id, created_at_ms)
    select 'led_' || substr(id, ${sql.lit(identifierStart)}), 'usage', ${sql.lit(usagePrefix)} || id,
      ${debitedAccount}, ${sql.lit(ledgerAccountId.operator('revenue'))}, charge_pico, account_id, id,
      started_at_ms
    from ${sql.table(table)} as requests where ${which}
  `.execute(transaction)
}

/** Finds the requests whose charges are transfers. */
export async function findPosted(
  transaction: Connection,
  requestIds: readonly string[],
): Promise<Set<string>> {
  if (requestIds.length === 0) return new Set()
  const rows = await transaction
    .selectFrom('ledger_transfers')
    .select('request_id')
    .where(
      'reference',
      'in',
      requestIds.map((id) => usagePrefix + id),
    )
    .execute()
  return new Set(rows.map(({ request_id: id }) => id!))
}

/** Turns the charge of a request into a transfer, unless it is one already. */
export async function turnIntoTransfer(
  transaction: Connection,
  accountId: string,
  requestId: string,
): Promise<void> {
  const isThis = sql<SqlBool>`id = ${requestId} and account_id = ${accountId}`
  // First, so that a concurrent correction waits here and then finds the transfer.
  const { numAffectedRows } = await sql`
    update requests set is_entry = 0 where is_entry = 1 and ${isThis}
  `.execute(transaction)
  if (numAffectedRows === 1n) await postEntries(transaction, 'requests', isThis)
}
