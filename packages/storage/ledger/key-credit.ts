import { ledgerAccountId } from '@turnpike/billing'
import type { Kysely } from 'kysely'
import type { Engine } from '../database.ts'
import { TransactionConflict } from '../database-error.ts'
import type { Schema } from '../schema.ts'

/** A ledger account whose row this transaction has locked, as it stood then. */
export interface LockedBalance {
  balancePico: bigint
  leasedPico: bigint
}

/** A key's credit, locked. */
export interface LockedKey {
  keyId: string
  accountId: string
  /** False also for the key that this transaction is about to revoke. */
  active: boolean
  /**
   * The ledger account that inherits: of the account's default key, else its unassigned credit. Locked as
   * well where the key is not active.
   */
  heir: string
}

export interface LockedLedger {
  keys: Map<string, LockedKey>
  balances: Map<string, LockedBalance>
}

export interface LockWish {
  keyIds: readonly string[]
  /** Accounts whose default key and unassigned credit are needed too. */
  accountIds?: readonly string[]
  /** The key that is being revoked: it counts as revoked and cannot inherit. */
  revoking?: string
}

/**
 * Locks the ledger accounts of keys and of what inherits from them, in the order of their identifiers, so
 * that no two transactions wait for each other. Who inherits is read before, and read again once locked:
 * where it has changed meanwhile, the transaction starts over.
 */
export async function lockLedger(
  engine: Engine,
  transaction: Kysely<Schema>,
  wish: LockWish,
): Promise<LockedLedger & { heirs: Map<string, string> }> {
  const before = await readKeys(transaction, wish)
  const ids = accountsToLock(before, wish)
  const balances = await lockBalances(engine, transaction, ids)
  if (engine === 'sqlite') return { ...before, balances }
  const after = await readKeys(transaction, wish)
  for (const id of accountsToLock(after, wish)) {
    if (!ids.includes(id)) throw new TransactionConflict(`${id} became involved meanwhile`)
  }
  return { ...after, balances }
}

interface KeysAndHeirs {
  keys: Map<string, LockedKey>
  /** By account. */
  heirs: Map<string, string>
}

function accountsToLock({ keys, heirs }: KeysAndHeirs, wish: LockWish): string[] {
  const ids = new Set<string>()
  const owners = new Set(wish.accountIds)
  for (const key of keys.values()) {
    ids.add(ledgerAccountId.key(key.keyId))
    if (!key.active) owners.add(key.accountId)
  }
  for (const accountId of owners) {
    ids.add(ledgerAccountId.unassigned(accountId))
    ids.add(heirs.get(accountId) ?? ledgerAccountId.unassigned(accountId))
  }
  return [...ids].sort()
}

async function readKeys(transaction: Kysely<Schema>, wish: LockWish): Promise<KeysAndHeirs> {
  const rows =
    wish.keyIds.length === 0
      ? []
      : await transaction
          .selectFrom('api_keys')
          .select(['id', 'account_id', 'status'])
          .where('id', 'in', wish.keyIds)
          .execute()
  const isActive = (row: { id: string; status: string }): boolean =>
    row.status === 'active' && row.id !== wish.revoking
  const owners = new Set(wish.accountIds)
  for (const row of rows) if (!isActive(row)) owners.add(row.account_id)
  const heirs = await readHeirs(transaction, [...owners], wish.revoking)
  const keys = new Map<string, LockedKey>()
  for (const row of rows) {
    const heir = heirs.get(row.account_id) ?? ledgerAccountId.unassigned(row.account_id)
    keys.set(row.id, { keyId: row.id, accountId: row.account_id, active: isActive(row), heir })
  }
  return { keys, heirs }
}

/**
 * By account: its default key's ledger account (the oldest active key; identifiers are time-ordered), else
 * the unassigned one.
 */
async function readHeirs(
  transaction: Kysely<Schema>,
  accountIds: string[],
  revoking: string | undefined,
): Promise<Map<string, string>> {
  const heirs = new Map(accountIds.map((id) => [id, ledgerAccountId.unassigned(id)]))
  if (accountIds.length === 0) return heirs
  const rows = await transaction
    .selectFrom('api_keys')
    .select((expression) => ['account_id', expression.fn.min('id').as('id')])
    .where('account_id', 'in', accountIds)
    .where('status', '=', 'active')
    .$if(revoking !== undefined, (query) => query.where('id', '<>', revoking!))
    .groupBy('account_id')
    .execute()
  for (const row of rows) heirs.set(row.account_id, ledgerAccountId.key(row.id))
  return heirs
}

/** SQLite's writing transactions are alone as it is. */
async function lockBalances(
  engine: Engine,
  transaction: Kysely<Schema>,
  ids: readonly string[],
): Promise<Map<string, LockedBalance>> {
  const balances = new Map<string, LockedBalance>()
  if (ids.length === 0) return balances
  const rows = await transaction
    .selectFrom('ledger_accounts')
    .select(['id', 'balance_pico', 'leased_pico'])
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(engine === 'postgres', (query) => query.forNoKeyUpdate())
    .execute()
  for (const row of rows)
    balances.set(row.id, { balancePico: row.balance_pico ?? 0n, leasedPico: row.leased_pico })
  return balances
}
