import type { BillingDetails, BillingDetailsStore } from '@turnpike/billing'
import type { Database } from '../database/database.ts'

/** The name and address on each account's receipts. */
export function billingDetailsStore({ write }: Database): BillingDetailsStore {
  return {
    async find(accountId) {
      const row = await write
        .selectFrom('billing_details')
        .select(['details', 'updated_at_ms'])
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return { ...(JSON.parse(row.details) as BillingDetails), updatedAtMs: Number(row.updated_at_ms) }
    },
    async keep(accountId, details, nowMs) {
      const columns = { details: JSON.stringify(details), updated_at_ms: nowMs }
      await write
        .insertInto('billing_details')
        .values({ account_id: accountId, ...columns })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
        .execute()
    },
    async remove(accountId) {
      const { numDeletedRows } = await write
        .deleteFrom('billing_details')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
