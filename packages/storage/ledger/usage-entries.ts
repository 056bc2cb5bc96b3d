import { ledgerAccountId } from '@turnpike/billing'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Connection } from '../schema.ts'

/**
 * Ledger entries that are no transfers: the charge of a request is in its own row (`is_entry`), as a transfer
 * from the key that paid to the operator's revenue. One fact is written once. The row becomes a transfer
 * before it is deleted, and when its charge is corrected.
 */

const usagePrefix = 'usage:'
const identifierStart = 'led_'.length + 1

/** The ledger account that a request's row debits. */
export const debitedAccount = sql<string>`${sql.lit(ledgerAccountId.key(''))} || coalesce(requests.paid_by, requests.key_id)`

/** Rows of requests in the columns of transfers. An entry has its request's identifier, but for the prefix. */
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

/** The request whose row would be the entry with that identifier. */
export function requestIdOfEntry(entryId: string): string {
  return `req_${entryId.slice(identifierStart - 1)}`
}

/**
 * Posts the charges of these rows as transfers. In the same transaction the rows are deleted or are entries no
 * more.
 * @param which of those that are entries
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

/** Which of these requests have left their charge in the ledger as a transfer. */
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

/** Turns the charge of one request into a transfer, where it is none yet. */
export async function turnIntoTransfer(
  transaction: Connection,
  accountId: string,
  requestId: string,
): Promise<void> {
  const isThis = sql<SqlBool>`id = ${requestId} and account_id = ${accountId}`
  // First, so that a second correction waits here and then finds the transfer.
  const { numAffectedRows } = await sql`
    update requests set is_entry = 0 where is_entry = 1 and ${isThis}
  `.execute(transaction)
  if (numAffectedRows === 1n) await postEntries(transaction, 'requests', isThis)
}
