import type {
  NewVendorKey,
  SealedSecret,
  SealedVendorKey,
  VendorKey,
  VendorKeyChanges,
  VendorKeyRefusal,
  VendorKeySeen,
  VendorKeyStatus,
  VendorKeyStore,
} from '@turnpike/identity'
import { sql, type Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { olderNodesRun } from '../leases/nodes.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { VendorKeyTable } from './tables.ts'

/** Per account. Each request checks all of them. */
const mostKeys = 50

export function vendorKeyStore(database: Database): VendorKeyStore {
  return {
    create: (key, nowMs) => inTransaction(database, (transaction) => create(transaction, key, nowMs)),
    list: (accountId) => list(database.write, accountId),
    find: (accountId, id) => find(database.write, accountId, id),
    update: (accountId, id, changes, nowMs) =>
      inTransaction(database, (transaction) => update(transaction, { accountId, id }, changes, nowMs)),
    replaceSecret: (accountId, id, secret, nowMs) =>
      inTransaction(database, (transaction) => replaceSecret(transaction, { accountId, id }, secret, nowMs)),
    remove: (accountId, id) =>
      inTransaction(database, async (transaction) => {
        const key = await find(transaction, accountId, id)
        if (key === undefined) return undefined
        await announceChange(transaction, accountId)
        const { numDeletedRows } = await transaction
          .deleteFrom('vendor_keys')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst()
        return numDeletedRows === 0n ? undefined : key
      }),
    async note(seen) {
      for (const one of seen) await note(database.write, one)
    },
    async listOutdatedSeals(keyName, afterId, limit) {
      const rows = await database.read
        .selectFrom('vendor_keys')
        .selectAll()
        .where('key_name', '<>', keyName)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toSealedKey)
    },
    async reseal({ id, version, keyName: before }, { keyName, sealed }) {
      const { numUpdatedRows } = await database.write
        .updateTable('vendor_keys')
        .set({ key_name: keyName, sealed })
        .where('id', '=', id)
        .where('version', '=', BigInt(version))
        .where('key_name', '=', before)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async countBySealingKey() {
      const rows = await database.read
        .selectFrom('vendor_keys')
        .select(['key_name', sql<bigint>`count(*)`.as('count')])
        .groupBy('key_name')
        .execute()
      return new Map(rows.map((row) => [row.key_name, Number(row.count)]))
    },
  }
}

async function create(
  transaction: Connection,
  key: NewVendorKey,
  nowMs: number,
): Promise<{ key: VendorKey } | VendorKeyRefusal> {
  const { id, accountId, provider, name } = key
  if (await olderNodesRun(transaction, 'knows_vendor_keys')) return { refused: 'older-nodes' }
  // Comes first: it locks the account, so that concurrent creations count each other.
  if (!(await announceChange(transaction, accountId))) return { refused: 'account-closed' }
  const others = await list(transaction, accountId)
  if (others.some((other) => other.provider === provider && other.name === name)) return { refused: 'exists' }
  if (others.length >= mostKeys) return { refused: 'too-many', most: mostKeys }
  const position = others.reduce((last, other) => Math.max(last, other.position), 0) + 1
  await transaction
    .insertInto('vendor_keys')
    .values({
      id,
      account_id: accountId,
      provider,
      name,
      last4: key.last4,
      status: 'active',
      allows_shared: Number(key.allowsShared),
      position,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
      last_used_at_ms: null,
      refused_at_ms: null,
      key_name: key.keyName,
      sealed: key.sealed,
    })
    .execute()
  return { key: (await find(transaction, accountId, id))! }
}

async function update(
  transaction: Connection,
  { accountId, id }: { accountId: string; id: string },
  changes: VendorKeyChanges,
  nowMs: number,
): Promise<{ key: VendorKey } | VendorKeyRefusal | undefined> {
  if ((await find(transaction, accountId, id)) === undefined) return undefined
  await announceChange(transaction, accountId)
  const all = await list(transaction, accountId)
  const before = all.find((one) => one.id === id)
  if (before === undefined) return undefined
  const { name = before.name, status, allowsShared, position } = changes
  const { provider } = before
  if (all.some((other) => other.id !== id && other.provider === provider && other.name === name))
    return { refused: 'exists' }
  await transaction
    .updateTable('vendor_keys')
    .set({
      name,
      ...(status !== undefined && { status }),
      ...(allowsShared !== undefined && { allows_shared: Number(allowsShared) }),
      ...(position !== undefined && { position }),
      updated_at_ms: nowMs,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
  return { key: (await find(transaction, accountId, id))! }
}

async function replaceSecret(
  transaction: Connection,
  { accountId, id }: { accountId: string; id: string },
  { last4, keyName, sealed }: SealedSecret & Pick<VendorKey, 'last4'>,
  nowMs: number,
): Promise<VendorKey | undefined> {
  if ((await find(transaction, accountId, id)) === undefined) return undefined
  await announceChange(transaction, accountId)
  await transaction
    .updateTable('vendor_keys')
    .set((expression) => ({
      last4,
      key_name: keyName,
      sealed,
      version: expression('version', '+', 1n),
      updated_at_ms: nowMs,
      refused_at_ms: null,
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
  return find(transaction, accountId, id)
}

/**
 * Makes every node reload the account's keys within a second. Locks the account's row from here on.
 * @returns false if the account is closed, which has no keys and gets none
 */
async function announceChange(transaction: Connection, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('accounts')
    .set((expression) => ({ vendor_keys_version: expression('vendor_keys_version', '+', 1n) }))
    .where('id', '=', accountId)
    .where('status', '<>', 'closed')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await publish(transaction, { about: 'account', accountId })
  return true
}

/** Called in the transaction that closes the account. */
export async function dropVendorKeysOf(transaction: Connection, accountId: string): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom('vendor_keys')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (numDeletedRows > 0n)
    await transaction
      .updateTable('accounts')
      .set((expression) => ({ vendor_keys_version: expression('vendor_keys_version', '+', 1n) }))
      .where('id', '=', accountId)
      .execute()
}

async function list(connection: Connection, accountId: string): Promise<VendorKey[]> {
  const rows = await connection
    .selectFrom('vendor_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(toVendorKey)
}

async function find(connection: Connection, accountId: string, id: string): Promise<VendorKey | undefined> {
  const row = await connection
    .selectFrom('vendor_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toVendorKey(row)
}

/** Stores only newer times, because nodes report the same key at different times. */
async function note(connection: Connection, seen: VendorKeySeen): Promise<void> {
  for (const [column, atMs] of [
    ['last_used_at_ms', seen.usedAtMs],
    ['refused_at_ms', seen.refusedAtMs],
  ] as const) {
    if (atMs === null) continue
    await connection
      .updateTable('vendor_keys')
      .set({ [column]: atMs })
      .where('id', '=', seen.id)
      .where('version', '=', BigInt(seen.version))
      .where((where) => where.or([where(column, 'is', null), where(column, '<', BigInt(atMs))]))
      .execute()
  }
}

function toVendorKey(row: Selectable<VendorKeyTable>): VendorKey {
  return {
    id: row.id,
    accountId: row.account_id,
    provider: row.provider,
    name: row.name,
    last4: row.last4,
    status: row.status as VendorKeyStatus,
    allowsShared: row.allows_shared === 1n,
    position: Number(row.position),
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
    lastUsedAtMs: row.last_used_at_ms === null ? null : Number(row.last_used_at_ms),
    refusedAtMs: row.refused_at_ms === null ? null : Number(row.refused_at_ms),
  }
}

export function toSealedKey(row: Selectable<VendorKeyTable>): SealedVendorKey {
  return {
    id: row.id,
    accountId: row.account_id,
    provider: row.provider,
    name: row.name,
    last4: row.last4,
    allowsShared: row.allows_shared === 1n,
    version: Number(row.version),
    keyName: row.key_name,
    sealed: row.sealed,
  }
}
