import type { Connection } from '../schema.ts'
import type { Compare } from '../usage/verify-totals.ts'

const keysPage = 1_000

/**
 * A key that draws on another holds only what leases of keys that drew on it still hold. While it is active,
 * the key that pays belongs to its account, is active, and has its own credit.
 */
export async function verifyPayers(transaction: Connection, compare: Compare): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await transaction
      .selectFrom('api_keys as key')
      .innerJoin('ledger_accounts', 'ledger_accounts.key_id', 'key.id')
      .leftJoin('api_keys as payer', 'payer.id', 'key.draws_on')
      .select(['key.id', 'key.account_id', 'key.status', 'key.replaced_by', 'balance_pico', 'leased_pico'])
      .select([
        'payer.account_id as payers_account',
        'payer.draws_on as payer_draws_on',
        'payer.status as payer_status',
        'payer.replaced_by as payer_replaced_by',
      ])
      .where('key.draws_on', 'is not', null)
      .where('key.id', '>', after)
      .orderBy('key.id')
      .limit(keysPage)
      .execute()
    const last = rows[rows.length - 1]
    if (last === undefined) return
    for (const row of rows) {
      compare(
        `credit of ${row.id}, which draws on another key`,
        String(row.leased_pico),
        String(row.balance_pico),
      )
      compare(`account of the key that pays for ${row.id}`, row.account_id, String(row.payers_account))
      if (row.status !== 'active' || row.replaced_by !== null) continue
      const payer = [row.payer_status, row.payer_replaced_by, row.payer_draws_on]
      compare(`state of the key that pays for ${row.id}`, 'active,,', String(payer))
    }
    after = last.id
  }
}
