import { ledgerAccountId } from '@turnpike/billing'
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import { TransactionConflict } from '../database/database-error.ts'
import type { Connection } from '../schema.ts'

/** A ledger account that this transaction has locked, as it was at that time. */
export interface LockedBalance {
  balancePico: bigint
  leasedPico: bigint
}

/** A key whose ledger account is locked. */
export interface LockedKey {
  keyId: string
  accountId: string
  /**
   * Whether it has credit of its own: false for a key that is revoked, replaced, or about to be, and for a
   * key that draws on another.
   */
  active: boolean
  /** Neither revoked nor replaced, nor about to be. */
  isLive: boolean
  /**
   * The ledger account that inherits its credit: of the key that it draws on or that replaced it, else of the
   * account's default key, else the unassigned credit. Locked too if the key is not active.
   */
  heir: string
  /** The key whose credit it uses, itself or another one; locked too. */
  payerId: string
  /** Whether the gateway created it for itself: callers cannot name it, and other keys pay before it. */
  isHidden: boolean
}

export interface LockedLedger {
  keys: Map<string, LockedKey>
  balances: Map<string, LockedBalance>
}

export interface LockRequest {
  keyIds: readonly string[]
  /** Accounts whose default key and unassigned credit are locked too. */
  accountIds?: readonly string[]
  /** The key that is being revoked: it counts as revoked and cannot inherit. */
  revoking?: string
}

/**
 * Locks the ledger accounts of keys and of their heirs in the order of identifiers, so that no two
 * transactions deadlock. Heirs are read before and after; if one has changed, the transaction starts over.
 */
export async function lockLedger(
  transaction: Connection,
  wish: LockRequest,
): Promise<LockedLedger & { heirs: Map<string, string> }> {
  const before = await readKeys(transaction, wish)
  const ids = accountsToLock(before, wish)
  const balances = await lockBalances(transaction, ids)
  if (engineOf(transaction) === 'sqlite') return { ...before, balances }
  const after = await readKeys(transaction, wish)
  for (const id of accountsToLock(after, wish)) {
    if (!ids.includes(id)) throw new TransactionConflict(`${id} became involved meanwhile`)
  }
  return { ...after, balances }
}

interface LockedKeys {
  keys: Map<string, LockedKey>
  /** By account. */
  heirs: Map<string, string>
}

function accountsToLock({ keys, heirs }: LockedKeys, wish: LockRequest): string[] {
  const ids = new Set<string>()
  const owners = new Set(wish.accountIds)
  // This includes the keys that pay.
  for (const key of keys.values()) {
    ids.add(ledgerAccountId.key(key.keyId))
    if (key.active) continue
    owners.add(key.accountId)
    ids.add(key.heir)
  }
  for (const accountId of owners) {
    ids.add(ledgerAccountId.unassigned(accountId))
    ids.add(heirs.get(accountId) ?? ledgerAccountId.unassigned(accountId))
  }
  return [...ids].sort()
}

async function readKeys(transaction: Connection, wish: LockRequest): Promise<LockedKeys> {
  const rows = wish.keyIds.length === 0 ? [] : await readKeyRows(transaction, wish.keyIds)
  const missing = new Set(rows.flatMap(({ draws_on: payerId }) => payerId ?? []))
  for (const { id } of rows) missing.delete(id)
  if (missing.size > 0) rows.push(...(await readKeyRows(transaction, [...missing])))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const isLive = (key: KeyState): boolean =>
    key.status === 'active' && key.replaced_by === null && key.id !== wish.revoking
  const ownsCredit = (key: KeyState): boolean => isLive(key) && key.draws_on === null
  const owners = new Set(wish.accountIds)
  for (const row of rows) if (!ownsCredit(row)) owners.add(row.account_id)
  const heirs = await readHeirs(transaction, [...owners], wish.revoking)
  const keys = new Map<string, LockedKey>()
  for (const row of rows) {
    const { id: keyId, account_id: accountId } = row
    const payer = row.draws_on === null ? undefined : byId.get(row.draws_on)
    const successor = {
      id: row.replaced_by,
      status: row.successor_status,
      replaced_by: row.successor_replaced,
      draws_on: row.successor_draws_on,
    }
    const heir = [payer, successor].find((key) => key !== undefined && ownsCredit(key))?.id
    keys.set(keyId, {
      keyId,
      accountId,
      active: ownsCredit(row),
      isLive: isLive(row),
      heir:
        typeof heir === 'string'
          ? ledgerAccountId.key(heir)
          : (heirs.get(accountId) ?? ledgerAccountId.unassigned(accountId)),
      payerId: row.draws_on ?? keyId,
      isHidden: row.purpose !== null,
    })
  }
  return { keys, heirs }
}

interface KeyState {
  id: string | null
  status: string | null
  replaced_by: string | null
  draws_on: string | null
}

function readKeyRows(transaction: Connection, keyIds: readonly string[]) {
  return transaction
    .selectFrom('api_keys')
    .leftJoin('api_keys as successor', 'successor.id', 'api_keys.replaced_by')
    .select([
      'api_keys.id',
      'api_keys.account_id',
      'api_keys.replaced_by',
      'api_keys.draws_on',
      'api_keys.status',
      'api_keys.purpose',
      'successor.draws_on as successor_draws_on',
      'successor.status as successor_status',
      'successor.replaced_by as successor_replaced',
    ])
    .where('api_keys.id', 'in', keyIds)
    .execute()
}

/**
 * The heir by account: the ledger account of its default key, else the unassigned one. The default key is the
 * oldest active key (identifiers are time-ordered) that was not replaced and has its own credit. If the last
 * such key is being revoked, all others draw on it, and the oldest of them takes over. Keys that the gateway
 * created for itself come after all of their owner's.
 */
async function readHeirs(
  transaction: Connection,
  accountIds: string[],
  revoking: string | undefined,
): Promise<Map<string, string>> {
  const heirs = new Map(accountIds.map((id) => [id, ledgerAccountId.unassigned(id)]))
  if (accountIds.length === 0) return heirs
  const rows = await transaction
    .selectFrom('api_keys')
    .select((expression) => [
      'account_id',
      expression.fn
        .coalesce(
          sql<string | null>`min(CASE WHEN purpose IS NULL AND draws_on IS NULL THEN id END)`,
          sql<string | null>`min(CASE WHEN purpose IS NULL THEN id END)`,
          sql<string | null>`min(CASE WHEN draws_on IS NULL THEN id END)`,
          expression.fn.min('id'),
        )
        .as('id'),
    ])
    .where('account_id', 'in', accountIds)
    .where('status', '=', 'active')
    .where('replaced_by', 'is', null)
    .$if(revoking !== undefined, (query) => query.where('id', '<>', revoking!))
    .groupBy('account_id')
    .execute()
  for (const row of rows) heirs.set(row.account_id, ledgerAccountId.key(row.id))
  return heirs
}

/** SQLite needs no locks, because its writing transactions run one at a time. */
async function lockBalances(
  transaction: Connection,
  ids: readonly string[],
): Promise<Map<string, LockedBalance>> {
  const balances = new Map<string, LockedBalance>()
  if (ids.length === 0) return balances
  const rows = await transaction
    .selectFrom('ledger_accounts')
    .select(['id', 'balance_pico', 'leased_pico'])
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(engineOf(transaction) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute()
  for (const row of rows)
    balances.set(row.id, { balancePico: row.balance_pico ?? 0n, leasedPico: row.leased_pico })
  return balances
}
