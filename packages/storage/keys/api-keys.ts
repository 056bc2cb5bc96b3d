import type { ApiKey, ApiKeyChanges, ApiKeyStore, KeyHandOver, RotationResult } from '@turnpike/identity'
import type { SpendLimitPeriod } from '@turnpike/protocol'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { ChangedIds } from '../database/changed-ids.ts'
import type { Database } from '../database/database.ts'
import { createKey } from './create-key.ts'
import { handOverKey } from './hand-over-key.ts'
import { findByHashes, KnownAccounts } from './known-keys.ts'
import { earliest, halfOfLimit, limitColumns, toModels } from './key-columns.ts'
import { lockLedger } from '../ledger/key-credit.ts'
import { keysWithLeases } from '../leases/keys-with-leases.ts'
import { drawOn, followHeir } from '../ledger/payer.ts'
import { Posting } from '../ledger/posting.ts'
import { readSpend } from '../spending/spent.ts'
import { publish } from '../notices.ts'
import { playgroundKeyHash } from './playground-key.ts'
import { rotateKey } from './rotate-key.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'

/** Keys revoked per sweep after the end of their grace period; the next sweep continues. */
const revokedAtOnce = 100

/** @param taken collects accounts whose free credit may have shrunk */
export function apiKeyStore(database: Database, taken?: ChangedIds): ApiKeyStore {
  const accounts = new KnownAccounts()
  return {
    // Reads may have a thread of their own, so a flood of unknown keys delays no change.
    findByHashes: (keyHashes) => findByHashes(database.read, keyHashes, accounts),
    find: (accountId, keyId) => find(database.write, accountId, keyId),
    isOfAccount: (accountId, keyId, memberId) => isOfAccount(database.read, accountId, keyId, memberId),
    defaultKeyHash: (accountId, memberId) => defaultKeyHash(database.read, accountId, memberId),
    playgroundKeyHash: (accountId, nowMs, memberId) =>
      playgroundKeyHash(database, accountId, nowMs, memberId),
    leasedDependents: (keyId) => keysWithLeases(database.write, 'draws_on', keyId),
    async list(accountId, { limit, cursor }, { memberId, projectId } = {}) {
      const cursors = cursorsOf(`keys:${accountId}`, ['text'])
      const rows = await keysWithCredit(database.read)
        .where('api_keys.account_id', '=', accountId)
        .$if(memberId !== undefined, (query) => query.where('api_keys.member_id', '=', memberId!))
        .$if(projectId !== undefined, (query) => query.where('api_keys.project_id', '=', projectId!))
        .$if(cursor !== undefined, (query) => query.where('api_keys.id', '>', cursors.decode(cursor!)[0]))
        .orderBy('api_keys.id')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toApiKey), limit, cursors, (row) => [row.id])
    },
    create: (key, nowMs) =>
      inTransaction(database, async (transaction) => {
        const keyId = await createKey(transaction, key, nowMs)
        return (await find(transaction, key.accountId, keyId))!
      }),
    async update(accountId, keyId, changes) {
      await inTransaction(database, async (transaction) => {
        if ((await find(transaction, accountId, keyId)) === undefined) return
        const { drawsOn } = changes
        if (drawsOn !== undefined) await drawOn(transaction, { accountId, keyId, drawsOn, nowMs: Date.now() })
        await update(transaction, accountId, keyId, changes)
        await publish(transaction, { about: 'key', keyId })
      })
      return find(database.write, accountId, keyId)
    },
    readSpend: (accountId, keys, nowMs) => readSpend(database.write, accountId, keys, nowMs),
    async revoke(accountId, keyId, nowMs) {
      const revoked = await inTransaction(database, (transaction) =>
        revokeOne(transaction, accountId, keyId, nowMs),
      )
      // Credit in its leases does not count until it is returned.
      if (revoked !== undefined) taken?.note([accountId])
      return revoked
    },
    rotate: (rotation, nowMs) =>
      inTransaction(database, async (transaction) => {
        const rotated = await rotateKey(transaction, rotation, nowMs)
        if (!('newKeyId' in rotated)) return rotated
        return { key: (await find(transaction, rotation.accountId, rotated.newKeyId))! }
      }),
    handOver: (handOver, nowMs) =>
      inTransaction(database, (transaction) => handOverIn(transaction, handOver, nowMs)),
    async revokeDue(nowMs) {
      const due = await revokeDue(database, nowMs)
      taken?.note(due.map((key) => key.account_id))
      return due.map((key) => key.id)
    },
  }
}

/** Revokes keys that are due, a few at a time. */
async function revokeDue(database: Database, nowMs: number): Promise<{ id: string; account_id: string }[]> {
  const due = await database.write
    .selectFrom('api_keys')
    .select(['id', 'account_id'])
    .where('status', '=', 'active')
    .where('revokes_at_ms', '<=', BigInt(nowMs))
    .limit(revokedAtOnce)
    .execute()
  for (const key of due)
    await inTransaction(database, (transaction) => revoke(transaction, key.account_id, key.id, nowMs))
  return due
}

async function handOverIn(
  transaction: Connection,
  handOver: KeyHandOver,
  nowMs: number,
): Promise<RotationResult> {
  const handed = await handOverKey(transaction, handOver, nowMs)
  if (!('newKeyId' in handed)) return handed
  return { key: (await find(transaction, handOver.accountId, handed.newKeyId))! }
}

/** The oldest key: identifiers are time-ordered. All of a member's keys may draw on others. */
async function defaultKeyHash(
  connection: Connection,
  accountId: string,
  memberId: string | undefined,
): Promise<string | undefined> {
  const key = await connection
    .selectFrom('api_keys')
    .select('key_hash')
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('replaced_by', 'is', null)
    .$if(memberId === undefined, (query) => query.where('draws_on', 'is', null))
    .$if(memberId !== undefined, (query) => query.where('member_id', '=', memberId!))
    .where('purpose', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return key?.key_hash
}

async function revokeOne(
  transaction: Connection,
  accountId: string,
  keyId: string,
  nowMs: number,
): Promise<ApiKey | undefined> {
  if ((await find(transaction, accountId, keyId)) === undefined) return undefined
  await revoke(transaction, accountId, keyId, nowMs)
  return find(transaction, accountId, keyId)
}

async function revoke(
  transaction: Connection,
  accountId: string,
  keyId: string,
  nowMs: number,
): Promise<void> {
  const locked = await lockLedger(transaction, { keyIds: [keyId], revoking: keyId })
  const key = locked.keys.get(keyId)
  if (key === undefined || key.accountId !== accountId) return
  const revoked = await transaction
    .updateTable('api_keys')
    .set({ status: 'revoked', revoked_at_ms: nowMs })
    .where('id', '=', keyId)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  if (revoked === undefined) return
  const posting = new Posting(locked, nowMs)
  await followHeir(transaction, posting, key)
  posting.settleRevoked(key, 'first')
  await posting.post(transaction)
  await publish(transaction, { about: 'key', keyId })
}

async function update(
  connection: Connection,
  accountId: string,
  keyId: string,
  changes: ApiKeyChanges,
): Promise<void> {
  const columns = { ...limitColumns(changes), ...halfOfLimit(changes) }
  const named = changes.name === undefined ? columns : { ...columns, name: changes.name }
  if (Object.keys(named).length === 0) return
  await connection
    .updateTable('api_keys')
    .set(named)
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .execute()
}

async function find(connection: Connection, accountId: string, keyId: string): Promise<ApiKey | undefined> {
  const row = await keysWithCredit(connection)
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst()
  return row === undefined ? undefined : toApiKey(row)
}

async function isOfAccount(
  connection: Connection,
  accountId: string,
  keyId: string,
  memberId: string | undefined,
): Promise<boolean> {
  const row = await connection
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .$if(memberId !== undefined, (query) => query.where('member_id', '=', memberId!))
    .executeTakeFirst()
  return row !== undefined
}

function keysWithCredit(connection: Connection) {
  return (
    connection
      .selectFrom('api_keys')
      .innerJoin('ledger_accounts', 'ledger_accounts.key_id', 'api_keys.id')
      .selectAll('api_keys')
      .select('ledger_accounts.balance_pico')
      .where('api_keys.purpose', 'is', null)
      // The key that replaced a handed-over one answers to the old key's secret.
      .where((where) =>
        where.or([
          where('api_keys.replaced_by', 'is', null),
          where('api_keys.revokes_at_ms', 'is not', null),
          where('api_keys.status', '<>', 'active'),
        ]),
      )
  )
}

type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof keysWithCredit>['execute']>>[number]

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    keyPrefix: row.key_prefix,
    status: row.status as ApiKey['status'],
    balancePico: row.balance_pico ?? 0n,
    createdAtMs: Number(row.created_at_ms),
    lastUsedAtMs: toNumber(row.last_used_at_ms),
    revokedAtMs: toNumber(row.revoked_at_ms),
    expiresAtMs: earliest(row.expires_at_ms, row.revokes_at_ms),
    allowedModels: toModels(row.allowed_models),
    spendLimitPico: row.spend_limit_pico,
    spendLimitPeriod: row.spend_limit_period as SpendLimitPeriod | null,
    unsupportedFields: row.unsupported_fields as ApiKey['unsupportedFields'],
    logPrompts: row.log_prompts === null ? null : row.log_prompts === 1n,
    mayTopUp: row.may_top_up === null ? null : row.may_top_up === 1n,
    drawsOn: row.draws_on,
    replacedBy: row.replaced_by,
    memberId: row.member_id,
    projectId: row.project_id,
    handedOver: row.handed_over === 1n,
  }
}

function toNumber(value: bigint | null): number | null {
  return value === null ? null : Number(value)
}
