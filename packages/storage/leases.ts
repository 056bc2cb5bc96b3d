import { ledgerAccountId, type LeaseStore, type LeaseTaken } from '@turnpike/billing'
import { sql, type Kysely } from 'kysely'
import type { Database, Engine } from './database.ts'
import { lockLedger } from './ledger/key-credit.ts'
import { Posting } from './ledger/posting.ts'
import type { Schema } from './schema.ts'
import { inTransaction } from './transaction.ts'

/** Leases given back in one transaction. */
const giveBackBatch = 200

export function leaseStore(database: Database): LeaseStore {
  const { engine } = database
  /** Nodes known to be in the table, so that taking a lease need not look again. */
  const knownNodes = new Set<string>()
  return {
    async take(nodeId, keyId, neededPico, wantedPico) {
      if (neededPico <= 0n || wantedPico < neededPico)
        throw new RangeError('a lease needs 0 < neededPico <= wantedPico')
      if (!knownNodes.has(nodeId)) {
        await registerNode(database.write, nodeId, Date.now())
        knownNodes.add(nodeId)
      }
      return inTransaction(database, (transaction) =>
        take(engine, transaction, nodeId, keyId, neededPico, wantedPico),
      )
    },
    async giveBack(nodeId, keyId, amountPico) {
      await inTransaction(database, (transaction) =>
        giveBack(engine, transaction, nodeId, new Map([[keyId, amountPico]])),
      )
    },
    giveBackAll: (nodeId) => giveBackAll(database, nodeId),
    async heartbeat(nodeId, nowMs) {
      await database.write
        .insertInto('nodes')
        .values({ id: nodeId, heartbeat_at_ms: nowMs })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeat_at_ms: nowMs }))
        .execute()
      knownNodes.add(nodeId)
    },
    async giveBackExpired(beforeMs) {
      const expired = await database.write
        .selectFrom('nodes')
        .innerJoin('leases', 'leases.node_id', 'nodes.id')
        .select('nodes.id')
        .distinct()
        .where('nodes.heartbeat_at_ms', '<', BigInt(Math.ceil(beforeMs)))
        .execute()
      for (const node of expired) await giveBackAll(database, node.id)
      return expired.map((node) => node.id)
    },
  }
}

async function registerNode(connection: Kysely<Schema>, nodeId: string, nowMs: number): Promise<void> {
  await connection
    .insertInto('nodes')
    .values({ id: nodeId, heartbeat_at_ms: nowMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * The key's row is locked first, since the amount depends on what is free; the UPDATE still asks for the
 * credit itself, so that no mistake about the lock could ever lease what is not there. A revoked key has
 * nothing free: its credit is either in leases or gone to its heir.
 */
async function take(
  engine: Engine,
  transaction: Kysely<Schema>,
  nodeId: string,
  keyId: string,
  neededPico: bigint,
  wantedPico: bigint,
): Promise<LeaseTaken> {
  const before = await transaction
    .selectFrom('ledger_accounts')
    .select(['balance_pico', 'leased_pico'])
    .where('id', '=', ledgerAccountId.key(keyId))
    .$if(engine === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (before === undefined) return { takenPico: 0n, freePico: 0n, leasedPico: 0n }
  const freePico = (before.balance_pico ?? 0n) - before.leased_pico
  const nothing = { takenPico: 0n, freePico, leasedPico: before.leased_pico }
  if (freePico < neededPico) return nothing
  const takenPico = freePico < wantedPico ? freePico : wantedPico
  const after = await transaction
    .updateTable('ledger_accounts')
    .set((expression) => ({ leased_pico: expression('leased_pico', '+', takenPico) }))
    .where('id', '=', ledgerAccountId.key(keyId))
    .where(sql<boolean>`balance_pico - leased_pico >= ${takenPico}`)
    .returning(['balance_pico', 'leased_pico'])
    .executeTakeFirst()
  if (after === undefined) return nothing
  await transaction
    .insertInto('leases')
    .values({ node_id: nodeId, key_id: keyId, amount_pico: takenPico })
    .onConflict((conflict) =>
      conflict.columns(['node_id', 'key_id']).doUpdateSet((expression) => ({
        amount_pico: expression('leases.amount_pico', '+', expression.ref('excluded.amount_pico')),
      })),
    )
    .execute()
  return {
    takenPico,
    freePico: (after.balance_pico ?? 0n) - after.leased_pico,
    leasedPico: after.leased_pico,
  }
}

async function giveBackAll(database: Database, nodeId: string): Promise<void> {
  for (;;) {
    const more = await inTransaction(database, async (transaction) => {
      const leases = await transaction
        .selectFrom('leases')
        .select(['key_id', 'amount_pico'])
        .where('node_id', '=', nodeId)
        .orderBy('key_id')
        .limit(giveBackBatch)
        .execute()
      if (leases.length === 0) return false
      const keyIds = leases.map((lease) => lease.key_id)
      await giveBack(database.engine, transaction, nodeId, new Map(keyIds.map((id) => [id, null])))
      await transaction
        .deleteFrom('leases')
        .where('node_id', '=', nodeId)
        .where('key_id', 'in', keyIds)
        .where('amount_pico', '=', 0n)
        .execute()
      return true
    })
    if (!more) return
  }
}

/** At most what each lease holds; null: all of it. */
async function giveBack(
  engine: Engine,
  transaction: Kysely<Schema>,
  nodeId: string,
  amounts: ReadonlyMap<string, bigint | null>,
): Promise<void> {
  const keyIds = [...amounts.keys()]
  const locked = await lockLedger(engine, transaction, { keyIds })
  const nowMs = Date.now()
  const posting = new Posting(locked, nowMs)
  const leases = await transaction
    .selectFrom('leases')
    .select(['key_id', 'amount_pico'])
    .where('node_id', '=', nodeId)
    .where('key_id', 'in', keyIds)
    .execute()
  for (const lease of leases) {
    const asked = amounts.get(lease.key_id) ?? lease.amount_pico
    const givenPico = asked < lease.amount_pico ? asked : lease.amount_pico
    if (givenPico <= 0n) continue
    posting.changeLease(nodeId, lease.key_id, -givenPico)
    const key = locked.keys.get(lease.key_id)
    if (key?.active === false) posting.settleRevoked(key, 'later')
  }
  await posting.post(engine, transaction)
}
