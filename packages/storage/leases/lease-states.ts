import type { LeaseState } from '@turnpike/billing'
import { sql } from 'kysely'
import type { Connection } from '../schema.ts'

/** Keys per query; well below the parameter limit of either engine. */
const keysAtOnce = 500

/**
 * A node's leases of these keys with their versions, with an entry for each key that exists. The versions
 * order states that were read concurrently or reported by changes.
 */
export async function leaseStates(
  connection: Connection,
  nodeId: string,
  keyIds: readonly string[],
): Promise<Map<string, LeaseState>> {
  const states = new Map<string, LeaseState>()
  for (let start = 0; start < keyIds.length; start += keysAtOnce) {
    const rows = await connection
      .selectFrom('ledger_accounts')
      .leftJoin('leases', (join) =>
        join.onRef('leases.key_id', '=', 'ledger_accounts.key_id').on('leases.node_id', '=', nodeId),
      )
      .select(['ledger_accounts.key_id', 'ledger_accounts.version'])
      .select(sql<bigint>`coalesce(leases.amount_pico, 0)`.as('pico'))
      .where('ledger_accounts.key_id', 'in', keyIds.slice(start, start + keysAtOnce))
      .execute()
    for (const { key_id: keyId, pico, version } of rows)
      if (keyId !== null) states.set(keyId, { pico, version })
  }
  return states
}
