import { budgetOfLease } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import type { Kysely } from 'kysely'
import { bulkUpdate, type BulkColumn } from '../database/bulk.ts'
import { engineOf } from '../database/engine.ts'
import type { Schema } from '../schema.ts'

/** By lease of a budget: what was charged to requests whose holds took from it. */
export function chargesByBudgetLease(records: readonly RequestRecord[]): Map<string, bigint> {
  // Most requests of a batch have the same leases.
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

/** What is in an outbox's file may be anything. */
function toLeases(leases: unknown): string[] {
  return typeof leases === 'string' ? leases.split(' ').filter((leaseId) => leasePattern.test(leaseId)) : []
}

const leaseColumns: BulkColumn[] = [
  ...['node_id', 'budget_id', 'period'].map((name): BulkColumn => ({ name, type: 'text' })),
  { name: 'charge_pico', type: 'bigint' },
]

/**
 * Takes charges off the node's leases that their holds were from, whether those budgets are still there or
 * not. Each lease by an expression, since no lock stands between what was read of it and this. What a charge
 * is more than its lease has nobody leased: it is spent all the same.
 */
export async function takeOffBudgetLeases(
  transaction: Kysely<Schema>,
  nodeId: string,
  records: readonly RequestRecord[],
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
