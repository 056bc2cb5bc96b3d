import type { LeaseState } from '@turnpike/billing'
import { sql } from 'kysely'
import type { Connection } from '../schema.ts'

/** Keys of one query; well below the number of parameters that either engine takes. */
const keysAtOnce = 500

/**
 * A node's leases of these keys with the version that they have it at, an entry for each key that exists.
 * The versions put states in order that were read, or reported by changes, beside each other.
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
