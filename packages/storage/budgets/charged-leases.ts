import { budgetOfLease } from '@turnpike/billing'
import type { LineRecord } from '@turnpike/gateway/record-line'
import { bulkUpdate, type BulkColumn } from '../database/bulk.ts'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'

/** Charges by budget lease, of the requests whose holds used that lease. */
export function chargesByBudgetLease(records: readonly LineRecord[]): Map<string, bigint> {
  // Most requests of a batch share the same leases.
  const byLeases = new Map<unknown, bigint>()
  for (const { budgetLeases, chargePico } of records)
    if (budgetLeases !== undefined && chargePico > 0n)
      byLeases.set(budgetLeases, (byLeases.get(budgetLeases) ?? 0n) + chargePico)
  const chargesPico = new Map<string, bigint>()
  for (const [leases, chargePico] of byLeases)
    for (const leaseId of toLeases(leases))
      chargesPico.set(leaseId, (chargesPico.get(leaseId) ?? 0n) + chargePico)
  return chargesPico
}

const leasePattern = /^bud_[0-9a-hjkmnp-tv-z]{26}@(?:[dw]\d{4}-\d\d-\d\d|m\d{4}-\d\d|t)$/

/** The content of an outbox file may be anything. */
function toLeases(leases: unknown): string[] {
  return typeof leases === 'string' ? leases.split(' ').filter((leaseId) => leasePattern.test(leaseId)) : []
}

const leaseColumns: BulkColumn[] = [
  ...['node_id', 'budget_id', 'period'].map((name): BulkColumn => ({ name, type: 'text' })),
  { name: 'charge_pico', type: 'bigint' },
]

/**
 * Subtracts charges from the node's leases that held them, whether or not those budgets still exist. The
 * update is an expression, because no lock protects the lease between reading and writing. If a charge
 * exceeds its lease, the excess was leased by nobody, but counts as spent.
 */
export async function takeOffBudgetLeases(
  transaction: Connection,
  nodeId: string,
  records: readonly LineRecord[],
): Promise<void> {
  const charges = chargesByBudgetLease(records)
  const values = [...charges.keys()].sort().flatMap((leaseId) => {
    const { budgetId, period } = budgetOfLease(leaseId)
    return [nodeId, budgetId, period, charges.get(leaseId)!]
  })
  const lesser = engineOf(transaction) === 'sqlite' ? 'min' : 'least'
  await bulkUpdate(transaction, {
    table: 'budget_leases',
    columns: leaseColumns,
    set: `amount_pico = stored.amount_pico - ${lesser}(stored.amount_pico, :charge_pico),
      version = stored.version + 1`,
    where: 'stored.node_id = :node_id AND stored.budget_id = :budget_id AND stored.period = :period',
    values,
  })
}
