import type { LeaseAnswer, LeaseState, LeaseStore } from '@turnpike/billing'
import { sql } from 'kysely'
import { endBudgetLeases } from '../budgets/leases.ts'
import type { Database } from '../database/database.ts'
import { databaseNowMs } from '../database/database-clock.ts'
import { lockLedger } from '../ledger/key-credit.ts'
import { Posting } from '../ledger/posting.ts'
import { leaseStates } from './lease-states.ts'
import { registerNode } from './nodes.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { takeLease } from './take-lease.ts'
import { inTransaction } from '../database/transaction.ts'

/** Leases returned per transaction. */
const giveBackBatch = 200

export function leaseStore(database: Database): LeaseStore {
  /** Nodes that are known to be in the table, so that taking a lease need not check again. */
  const knownNodes = new Set<string>()
  return {
    async take(nodeId, keyId, neededPico, wantedPico, startedAtMs) {
      if (neededPico <= 0n || wantedPico < neededPico)
        throw new RangeError('a lease needs 0 < neededPico <= wantedPico')
      if (!knownNodes.has(nodeId)) {
        await registerNode(database.write, nodeId)
        knownNodes.add(nodeId)
      }
      return inTransaction(database, (transaction) =>
        takeLease(transaction, { nodeId, keyId, neededPico, wantedPico, startedAtMs }),
      )
    },
    giveBack: (nodeId, keyId, amountPico, answer) =>
      inTransaction(database, (transaction) =>
        giveBackOne(transaction, { nodeId, keyId, amountPico, answer }),
      ),
    giveBackAll: async (nodeId) => {
      await giveBackAll(database, nodeId, async () => true)
    },
    current: (nodeId, keyIds) => leaseStates(database.write, nodeId, keyIds),
    async ask(nodeId, keyId, amountPico) {
      if (!database.isShared) return []
      return inTransaction(database, (transaction) => ask(transaction, { nodeId, keyId, amountPico }))
    },
    async heartbeat(nodeId, leaseMs) {
      const alive = {
        heartbeat_at_ms: databaseNowMs(database.write),
        lease_ms: Math.ceil(leaseMs),
        counts_budgets: 1,
        knows_vendor_keys: 1,
      }
      const row = await database.write
        .insertInto('nodes')
        .values({ id: nodeId, ...alive })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(alive))
        .returning('expiries')
        .executeTakeFirstOrThrow()
      knownNodes.add(nodeId)
      return row.expiries
    },
    giveBackExpired: () => giveBackExpired(database),
  }
}

async function giveBackOne(
  transaction: Connection,
  request: { nodeId: string; keyId: string; amountPico: bigint; answer: LeaseAnswer | undefined },
): Promise<LeaseState> {
  const { nodeId, keyId, amountPico, answer } = request
  const givenPico = amountPico > 0n ? await giveBack(transaction, nodeId, new Map([[keyId, amountPico]])) : 0n
  if (answer !== undefined)
    await publish(transaction, {
      about: 'answered',
      keyId,
      nodeId,
      givenPico: String(givenPico),
      heldPico: String(answer.heldPico),
    })
  const states = await leaseStates(transaction, nodeId, [keyId])
  return states.get(keyId) ?? { pico: 0n, version: 0n }
}

async function ask(
  transaction: Connection,
  { nodeId, keyId, amountPico }: { nodeId: string; keyId: string; amountPico: bigint },
): Promise<{ nodeId: string; pico: bigint }[]> {
  const holders = await transaction
    .selectFrom('leases')
    .select(['node_id', 'amount_pico'])
    .where('key_id', '=', keyId)
    .where('node_id', '<>', nodeId)
    .where('amount_pico', '>', 0n)
    .execute()
  if (holders.length > 0)
    await publish(transaction, { about: 'wanted', keyId, nodeId, amountPico: String(amountPico) })
  return holders.map((holder) => ({ nodeId: holder.node_id, pico: holder.amount_pico }))
}

async function giveBackExpired(database: Database): Promise<string[]> {
  const found = await database.write
    .selectFrom('nodes')
    .select('nodes.id')
    .where(isExpired(database.write))
    .where(
      sql<boolean>`(EXISTS (SELECT 1 FROM leases WHERE node_id = nodes.id) OR EXISTS
        (SELECT 1 FROM budget_leases WHERE node_id = nodes.id AND amount_pico > 0))`,
    )
    .execute()
  const expired: string[] = []
  for (const { id } of found) {
    const isAnyGiven = await giveBackAll(database, id, (transaction) => markExpired(transaction, id))
    if (isAnyGiven) expired.push(id)
  }
  return expired
}

function isExpired(connection: Connection) {
  return sql<boolean>`nodes.heartbeat_at_ms + nodes.lease_ms < ${databaseNowMs(connection)}`
}

/**
 * Returns false if the node is alive again. The node's row stays locked until its leases are returned: a
 * heartbeat waits for that, and then reports the new number of expiries.
 */
async function markExpired(transaction: Connection, nodeId: string): Promise<boolean> {
  const marked = await transaction
    .updateTable('nodes')
    .set((expression) => ({ expiries: expression('expiries', '+', 1n) }))
    .where('id', '=', nodeId)
    .where(isExpired(transaction))
    .returning('id')
    .executeTakeFirst()
  return marked !== undefined
}

/** Returns leases in batches, as long as `mayGive` allows. Resolves to whether any were returned. */
async function giveBackAll(
  database: Database,
  nodeId: string,
  mayGive: (transaction: Connection) => Promise<boolean>,
): Promise<boolean> {
  for (let isAnyGiven = false; ; isAnyGiven = true) {
    const more = await inTransaction(database, async (transaction) => {
      if (!(await mayGive(transaction))) return false
      const leases = await transaction
        .selectFrom('leases')
        .select(['key_id', 'amount_pico'])
        .where('node_id', '=', nodeId)
        .orderBy('key_id')
        .limit(giveBackBatch)
        .execute()
      // Budget leases end last, after all credit, in a transaction that the node also learns of.
      if (leases.length === 0) return endBudgetLeases(transaction, nodeId)
      const keyIds = leases.map((lease) => lease.key_id)
      await giveBack(transaction, nodeId, new Map(keyIds.map((id) => [id, null])))
      await transaction
        .deleteFrom('leases')
        .where('node_id', '=', nodeId)
        .where('key_id', 'in', keyIds)
        .where('amount_pico', '=', 0n)
        .execute()
      return true
    })
    if (!more) return isAnyGiven
  }
}

/** Returns these amounts, at most what each lease holds; null: all of it. Resolves to the total. */
async function giveBack(
  transaction: Connection,
  nodeId: string,
  amounts: ReadonlyMap<string, bigint | null>,
): Promise<bigint> {
  const keyIds = [...amounts.keys()]
  const locked = await lockLedger(transaction, { keyIds })
  const posting = new Posting(locked, Date.now())
  const leases = await transaction
    .selectFrom('leases')
    .select(['key_id', 'amount_pico'])
    .where('node_id', '=', nodeId)
    .where('key_id', 'in', keyIds)
    .execute()
  let sumPico = 0n
  for (const lease of leases) {
    const requestedPico = amounts.get(lease.key_id) ?? lease.amount_pico
    const givenPico = requestedPico < lease.amount_pico ? requestedPico : lease.amount_pico
    if (givenPico <= 0n) continue
    sumPico += givenPico
    posting.changeLease(nodeId, lease.key_id, -givenPico)
  }
  posting.settleRetired(keyIds)
  await posting.post(transaction)
  return sumPico
}
