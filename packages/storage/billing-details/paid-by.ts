import type { BillingDetails, PaidBy } from '@turnpike/billing'
import type { Connection } from '../schema.ts'

/** The current name and address for this account's receipts. */
export async function readPaidBy(transaction: Connection, accountId: string): Promise<PaidBy> {
  const row = await transaction
    .selectFrom('accounts')
    .leftJoin('billing_details', 'billing_details.account_id', 'accounts.id')
    .select(['accounts.display_name', 'accounts.email', 'billing_details.details'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return {
    displayName: row.display_name,
    email: row.email,
    billing: row.details === null ? null : (JSON.parse(row.details) as BillingDetails),
  }
}
