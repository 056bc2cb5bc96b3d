import { ledgerAccountId, type LeaseTaken } from '@turnpike/billing'
import { newIdentifier } from '@turnpike/protocol'
import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import { lockLedger } from './ledger/key-credit.ts'
import { Posting } from './ledger/posting.ts'
import type { Schema } from './schema.ts'
import { leasedPredecessors, lockSpendLimit } from './spending/spend-limit.ts'

export interface LeaseWish {
  nodeId: string
  keyId: string
  neededPico: bigint
  wantedPico: bigint
  startedAtMs: number
}

/**
 * The key's row is locked first, since the amount depends on what is free; the UPDATE still asks for the
 * credit itself, so that no mistake about the lock could ever lease what is not there. A revoked key has
 * nothing free: its credit is either in leases or gone to its heir.
 */
export async function takeLease(
  engine: Engine,
  transaction: Kysely<Schema>,
  wish: LeaseWish,
): Promise<LeaseTaken> {
  const { keyId, neededPico, wantedPico, startedAtMs } = wish
  const before = await lockedAccount(engine, transaction, keyId)
  if (before === undefined) return nothing({ balancePico: 0n, leasedPico: 0n, version: 0n }, 0n)
  const there = await leaseOf(transaction, wish)
  const limit = await lockSpendLimit(engine, transaction, keyId, startedAtMs)
  const refused = { ...nothing(before, there), ...(limit !== undefined && { limit }) }
  const isWithinLimit = limit === undefined || limit.roomPico >= neededPico
  let freePico = freeOf(before)
  if (freePico < neededPico || !isWithinLimit) {
    const successor = await successorOf(transaction, keyId)
    if (successor === undefined)
      return { ...refused, predecessors: await leasedPredecessors(transaction, keyId) }
    if (!isWithinLimit || !(await takeFrom(engine, transaction, successor, wish)))
      return { ...refused, successor }
    freePico = neededPico
  }
  const spendablePico = limit === undefined ? freePico : lesser(freePico, limit.roomPico)
  const takenPico = lesser(wantedPico, neededPico + (spendablePico - neededPico) / 2n)
  const after = await addToAccount(transaction, keyId, takenPico)
  if (after === undefined) return refused
  await addToLease(transaction, wish, takenPico)
  return {
    takenPico,
    lease: { pico: there + takenPico, version: after.version },
    freePico: freeOf(after),
    elsewherePico: after.leasedPico - there - takenPico,
    ...(limit !== undefined && { limit: { ...limit, roomPico: limit.roomPico - takenPico } }),
  }
}

function lesser(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

/** Undefined where so much is not free. */
async function addToAccount(
  transaction: Kysely<Schema>,
  keyId: string,
  takenPico: bigint,
): Promise<LockedAccount | undefined> {
  const row = await transaction
    .updateTable('ledger_accounts')
    .set((expression) => ({
      leased_pico: expression('leased_pico', '+', takenPico),
      version: expression('version', '+', 1n),
    }))
    .where('id', '=', ledgerAccountId.key(keyId))
    .where(sql<boolean>`balance_pico - leased_pico >= ${takenPico}`)
    .returning(['balance_pico', 'leased_pico', 'version'])
    .executeTakeFirst()
  return row === undefined ? undefined : toAccount(row)
}

interface LockedAccount {
  balancePico: bigint
  leasedPico: bigint
  version: bigint
}

function freeOf({ balancePico, leasedPico }: LockedAccount): bigint {
  return balancePico - leasedPico
}

function nothing(account: LockedAccount, there: bigint): LeaseTaken {
  return {
    takenPico: 0n,
    lease: { pico: there, version: account.version },
    freePico: freeOf(account),
    elsewherePico: account.leasedPico - there,
  }
}

async function lockedAccount(
  engine: Engine,
  transaction: Kysely<Schema>,
  keyId: string,
): Promise<LockedAccount | undefined> {
  const row = await transaction
    .selectFrom('ledger_accounts')
    .select(['balance_pico', 'leased_pico', 'version'])
    .where('id', '=', ledgerAccountId.key(keyId))
    .$if(engine === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return row === undefined ? undefined : toAccount(row)
}

function toAccount(row: {
  balance_pico: bigint | null
  leased_pico: bigint
  version: bigint
}): LockedAccount {
  return { balancePico: row.balance_pico ?? 0n, leasedPico: row.leased_pico, version: row.version }
}

async function leaseOf(transaction: Kysely<Schema>, { nodeId, keyId }: LeaseWish): Promise<bigint> {
  const row = await transaction
    .selectFrom('leases')
    .select('amount_pico')
    .where('node_id', '=', nodeId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  return row?.amount_pico ?? 0n
}

/** The key that took over from one that is in its grace. */
async function successorOf(transaction: Kysely<Schema>, keyId: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('api_keys')
    .select('replaced_by')
    .where('id', '=', keyId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row?.replaced_by ?? undefined
}

/**
 * The credit of a key that was rotated is its successor's. Requests that came with it before, and still run,
 * get what they need from there: a `transfer`. Whether they did.
 */
async function takeFrom(
  engine: Engine,
  transaction: Kysely<Schema>,
  successor: string,
  { keyId, neededPico }: LeaseWish,
): Promise<boolean> {
  const locked = await lockLedger(engine, transaction, { keyIds: [keyId, successor] })
  const account = ledgerAccountId.key(keyId)
  const key = locked.keys.get(keyId)
  if (key === undefined || key.heir !== ledgerAccountId.key(successor)) return false
  const nowMs = Date.now()
  const posting = new Posting(locked, nowMs)
  const missingPico = neededPico - posting.freePico(account)
  if (posting.freePico(key.heir) < missingPico) return false
  posting.transfer({
    kind: 'transfer',
    reference: `rotated:${keyId}:${newIdentifier('led', nowMs)}`,
    debitAccount: key.heir,
    creditAccount: account,
    amountPico: missingPico,
    accountId: key.accountId,
    createdAtMs: nowMs,
  })
  await posting.post(engine, transaction)
  return true
}

async function addToLease(
  transaction: Kysely<Schema>,
  { nodeId, keyId }: LeaseWish,
  takenPico: bigint,
): Promise<void> {
  await transaction
    .insertInto('leases')
    .values({ node_id: nodeId, key_id: keyId, amount_pico: takenPico })
    .onConflict((conflict) =>
      conflict.columns(['node_id', 'key_id']).doUpdateSet((expression) => ({
        amount_pico: expression('leases.amount_pico', '+', expression.ref('excluded.amount_pico')),
      })),
    )
    .execute()
}
