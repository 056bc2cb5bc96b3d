import {
  budgetOfLease,
  type LeaseAnswer,
  type LeaseState,
  type LeaseStore,
  type LeaseTaken,
} from '@turnpike/billing'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { engineOf } from '../database/engine.ts'
import { registerNode } from '../leases/nodes.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { joinSum } from '../database/wide-sum.ts'

/** Leases per query; well below the parameter limit of either engine. */
const leasesAtOnce = 200

/**
 * Leases of budgets. Each is for one period of a budget, named `bud_…@d2026-11-23`. The term of a lease
 * depends on the node's heartbeats, which the store of key leases records.
 */
export function budgetLeaseStore(
  database: Database,
  terms: Pick<LeaseStore, 'heartbeat' | 'giveBackAll' | 'giveBackExpired'>,
): LeaseStore {
  /** Nodes that are known to be in the table. */
  const knownNodes = new Set<string>()
  return {
    async take(nodeId, leaseId, neededPico, wantedPico) {
      if (neededPico <= 0n || wantedPico < neededPico)
        throw new RangeError('a lease needs 0 < neededPico <= wantedPico')
      if (!knownNodes.has(nodeId)) {
        await registerNode(database.write, nodeId)
        knownNodes.add(nodeId)
      }
      return inTransaction(database, (transaction) =>
        take(transaction, { nodeId, leaseId, neededPico, wantedPico }),
      )
    },
    giveBack: (nodeId, leaseId, amountPico, answer) =>
      inTransaction(database, (transaction) =>
        giveBack(transaction, { nodeId, leaseId, amountPico, answer }),
      ),
    current: (nodeId, leaseIds) => budgetLeaseStates(database.write, nodeId, leaseIds),
    async ask(nodeId, leaseId, amountPico) {
      if (!database.isShared) return []
      return inTransaction(database, (transaction) => ask(transaction, { nodeId, leaseId, amountPico }))
    },
    heartbeat: (nodeId, leaseMs) => terms.heartbeat(nodeId, leaseMs),
    giveBackAll: (nodeId) => terms.giveBackAll(nodeId),
    giveBackExpired: () => terms.giveBackExpired(),
  }
}

interface Wish {
  nodeId: string
  leaseId: string
  neededPico: bigint
  wantedPico: bigint
}

/**
 * Locks the budget's row first, so that no two nodes take the same room. One statement then reads both the
 * spent and the leased amount: charges move amounts from one to the other without that lock, so two
 * statements could miss a charge in both.
 */
async function take(transaction: Connection, wish: Wish): Promise<LeaseTaken> {
  const { nodeId, leaseId, neededPico, wantedPico } = wish
  const { budgetId, period } = budgetOfLease(leaseId)
  const budget = await transaction
    .selectFrom('budgets')
    .select('limit_pico')
    .where('id', '=', budgetId)
    .where('is_hard', '=', 1n)
    .where('deleted_at_ms', 'is', null)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  const { spentPico, leases } = await roomOf(transaction, budgetId, period)
  const own = leases.get(nodeId) ?? { pico: 0n, version: 0n }
  let leasedPico = 0n
  for (const { pico } of leases.values()) leasedPico += pico
  const elsewherePico = leasedPico - own.pico
  if (budget === undefined) return { takenPico: 0n, lease: own, freePico: 0n, elsewherePico, isGone: true }
  const roomPico = budget.limit_pico - spentPico - leasedPico
  if (roomPico < neededPico)
    return { takenPico: 0n, lease: own, freePico: roomPico, elsewherePico, isExceeded: roomPico < 0n }
  const mostPico = neededPico + (roomPico - neededPico) / 2n
  const takenPico = wantedPico < mostPico ? wantedPico : mostPico
  const lease = await add(transaction, { nodeId, budgetId, period }, takenPico)
  return { takenPico, lease, freePico: roomPico - takenPico, elsewherePico }
}

/** In one statement: a row per lease, each with what is spent. */
async function roomOf(
  transaction: Connection,
  budgetId: string,
  period: string,
): Promise<{ spentPico: bigint; leases: Map<string, LeaseState> }> {
  const rows = await transaction
    .selectFrom('budgets')
    .leftJoin('budget_totals as total', (join) =>
      join.onRef('total.budget_id', '=', 'budgets.id').on('total.period', '=', period),
    )
    .leftJoin('budget_leases as lease', (join) =>
      join.onRef('lease.budget_id', '=', 'budgets.id').on('lease.period', '=', period),
    )
    .select(['total.cost_high as high', 'total.cost_low as low'])
    .select(['lease.node_id', 'lease.amount_pico', 'lease.version'])
    .where('budgets.id', '=', budgetId)
    .execute()
  const leases = new Map<string, LeaseState>()
  for (const { node_id: nodeId, amount_pico: pico, version } of rows)
    if (nodeId !== null) leases.set(nodeId, { pico: pico ?? 0n, version: version ?? 0n })
  return { spentPico: rows[0] === undefined ? 0n : joinSum(rows[0]), leases }
}

async function add(
  transaction: Connection,
  { nodeId, budgetId, period }: { nodeId: string; budgetId: string; period: string },
  takenPico: bigint,
): Promise<LeaseState> {
  const row = await transaction
    .insertInto('budget_leases')
    .values({ node_id: nodeId, budget_id: budgetId, period, amount_pico: takenPico, version: 1n })
    .onConflict((conflict) =>
      conflict.columns(['node_id', 'budget_id', 'period']).doUpdateSet((expression) => ({
        amount_pico: expression('budget_leases.amount_pico', '+', expression.ref('excluded.amount_pico')),
        version: expression('budget_leases.version', '+', 1n),
      })),
    )
    .returning(['amount_pico', 'version'])
    .executeTakeFirstOrThrow()
  return { pico: row.amount_pico, version: row.version }
}

async function giveBack(
  transaction: Connection,
  request: { nodeId: string; leaseId: string; amountPico: bigint; answer: LeaseAnswer | undefined },
): Promise<LeaseState> {
  const { nodeId, leaseId, amountPico, answer } = request
  const { budgetId, period } = budgetOfLease(leaseId)
  const before = await transaction
    .selectFrom('budget_leases')
    .select(['amount_pico', 'version'])
    .where('node_id', '=', nodeId)
    .where('budget_id', '=', budgetId)
    .where('period', '=', period)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  const leasedPico = before?.amount_pico ?? 0n
  const givenPico = amountPico < leasedPico ? amountPico : leasedPico
  let lease: LeaseState = { pico: leasedPico, version: before?.version ?? 0n }
  if (givenPico > 0n) {
    const row = await transaction
      .updateTable('budget_leases')
      .set((expression) => ({
        amount_pico: expression('amount_pico', '-', givenPico),
        version: expression('version', '+', 1n),
      }))
      .where('node_id', '=', nodeId)
      .where('budget_id', '=', budgetId)
      .where('period', '=', period)
      .returning(['amount_pico', 'version'])
      .executeTakeFirstOrThrow()
    lease = { pico: row.amount_pico, version: row.version }
  }
  if (answer !== undefined)
    await publish(transaction, {
      about: 'answered',
      keyId: leaseId,
      nodeId,
      givenPico: String(givenPico > 0n ? givenPico : 0n),
      heldPico: String(answer.heldPico),
    })
  return lease
}

async function ask(
  transaction: Connection,
  { nodeId, leaseId, amountPico }: { nodeId: string; leaseId: string; amountPico: bigint },
): Promise<{ nodeId: string; pico: bigint }[]> {
  const { budgetId, period } = budgetOfLease(leaseId)
  const holders = await transaction
    .selectFrom('budget_leases')
    .select(['node_id', 'amount_pico'])
    .where('budget_id', '=', budgetId)
    .where('period', '=', period)
    .where('node_id', '<>', nodeId)
    .where('amount_pico', '>', 0n)
    .execute()
  if (holders.length > 0)
    await publish(transaction, {
      about: 'wanted',
      keyId: leaseId,
      nodeId,
      amountPico: String(amountPico),
    })
  return holders.map((holder) => ({ nodeId: holder.node_id, pico: holder.amount_pico }))
}

/** The node's state of each of these leases. */
export async function budgetLeaseStates(
  connection: Connection,
  nodeId: string,
  leaseIds: readonly string[],
): Promise<Map<string, LeaseState>> {
  const states = new Map<string, LeaseState>()
  for (let start = 0; start < leaseIds.length; start += leasesAtOnce) {
    const batch = leaseIds.slice(start, start + leasesAtOnce)
    for (const leaseId of batch) states.set(leaseId, { pico: 0n, version: 0n })
    const leaseId = sql<string>`budget_id || '@' || period`
    const rows = await connection
      .selectFrom('budget_leases')
      .select(['amount_pico', 'version', leaseId.as('id')])
      .where('node_id', '=', nodeId)
      .where('budget_id', 'in', [...new Set(batch.map((id) => budgetOfLease(id).budgetId))])
      .where(leaseId, 'in', batch)
      .execute()
    for (const { id, amount_pico: pico, version } of rows) states.set(id, { pico, version })
  }
  return states
}

/**
 * Ends all of a node's budget leases, because it starts, stops, or was away for too long. The rows stay, with
 * a version higher than any that the node has seen.
 * @returns whether there were any
 */
export async function endBudgetLeases(transaction: Connection, nodeId: string): Promise<boolean> {
  const ended = await transaction
    .updateTable('budget_leases')
    .set((expression) => ({ amount_pico: 0n, version: expression('version', '+', 1n) }))
    .where('node_id', '=', nodeId)
    .where('amount_pico', '>', 0n)
    .returning('budget_id')
    .execute()
  return ended.length > 0
}
