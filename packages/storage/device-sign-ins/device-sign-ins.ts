import type {
  DeviceSignInStore,
  NewSignIn,
  SignIn,
  SignInClient,
  SignInOwner,
  SignedInDevice,
} from '@turnpike/identity'
import type { Database } from '../database/database.ts'
import { publish } from '../notices.ts'
import { isHeldMember } from '../organizations/key-owner.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { deviceRequestStore } from './device-requests.ts'
import { keyMadeFor } from './key-made-for.ts'

/** The limit of valid tokens, and of stored rows, for a device that keeps renewing its tokens. */
const mostTokens = 20
/** Rows in one list. */
const maxListed = 200

/** Devices that sign in with a code: their requests, their sign-ins, and the tokens of these. */
export function deviceSignInStore(database: Database): DeviceSignInStore {
  const { write } = database
  return {
    ...deviceRequestStore(database),
    start: (deviceCodeHash, signIn, mostOfKey) =>
      inTransaction(database, async (transaction) => {
        const owner = await start(transaction, deviceCodeHash, signIn)
        if (owner === undefined) return undefined
        if (await endOldest(transaction, owner.keyId, mostOfKey))
          await publish(transaction, { about: 'key', keyId: owner.keyId })
        return owner
      }),
    find: (familyHash, nowMs) => find(write, familyHash, nowMs),
    renew: (id, change) => inTransaction(database, (transaction) => renew(transaction, id, change)),
    end: (id) =>
      inTransaction(database, async (transaction) => {
        const keyId = await end(transaction, id)
        if (keyId !== undefined) await publish(transaction, { about: 'key', keyId })
      }),
    listOf: (accountId, nowMs) => listOf(write, accountId, nowMs),
    endOf: (accountId, id) =>
      inTransaction(database, async (transaction) => {
        const ended = await transaction
          .deleteFrom('sign_ins')
          .where('account_id', '=', accountId)
          .$if(id !== undefined, (query) => query.where('id', '=', id!))
          .returning('key_id')
          .execute()
        const keyIds = [...new Set(ended.map((row) => row.key_id))]
        for (const keyId of keyIds) await publish(transaction, { about: 'key', keyId })
        return keyIds
      }),
    async findByAccess(accessHash) {
      const row = await write
        .selectFrom('sign_in_tokens')
        .select(['sign_in_id', 'key_id'])
        .where('token_hash', '=', accessHash)
        .executeTakeFirst()
      return row && { id: row.sign_in_id, keyId: row.key_id }
    },
    keyFor: (accountId, client, nowMs, memberId) => keyMadeFor(write, accountId, client, nowMs, memberId),
    async removeExpired(beforeMs) {
      const before = BigInt(beforeMs)
      await write.deleteFrom('sign_in_tokens').where('expires_at_ms', '<', before).execute()
      await write.deleteFrom('sign_ins').where('expires_at_ms', '<', before).execute()
      await write.deleteFrom('device_requests').where('expires_at_ms', '<', before).execute()
    },
  }
}

async function start(
  transaction: Connection,
  deviceCodeHash: string,
  signIn: NewSignIn,
): Promise<SignInOwner | undefined> {
  const request = await transaction
    .updateTable('device_requests')
    .set({ status: 'used' })
    .where('device_code_hash', '=', deviceCodeHash)
    .where('status', '=', 'approved')
    .returning(['account_id', 'key_id', 'client', 'address'])
    .executeTakeFirst()
  if (request === undefined || request.account_id === null || request.key_id === null) return undefined
  if (!(await isHeldByMember(transaction, request.account_id, request.key_id))) return undefined
  await transaction
    .insertInto('sign_ins')
    .values({
      id: signIn.id,
      family_hash: signIn.familyHash,
      account_id: request.account_id,
      key_id: request.key_id,
      client: request.client,
      address: request.address,
      salt: signIn.salt,
      refresh_hash: signIn.refreshHash,
      previous_refresh_hash: null,
      refreshed_at_ms: signIn.nowMs,
      created_at_ms: signIn.nowMs,
      expires_at_ms: signIn.expiresAtMs,
    })
    .execute()
  await addToken(transaction, { ...signIn, keyId: request.key_id })
  const row = await selectOwners(transaction).where('sign_ins.id', '=', signIn.id).executeTakeFirstOrThrow()
  return toOwner(row, signIn.nowMs)
}

/** A removed member cannot sign in a device, not even with a code that was approved before. */
async function isHeldByMember(transaction: Connection, accountId: string, keyId: string): Promise<boolean> {
  const key = await transaction
    .selectFrom('api_keys')
    .select('member_id')
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (key === undefined || key.member_id === null) return key !== undefined
  return isHeldMember(transaction, accountId, key.member_id)
}

async function listOf(connection: Connection, accountId: string, nowMs: number): Promise<SignedInDevice[]> {
  const rows = await connection
    .selectFrom('sign_ins')
    .select(['id', 'key_id', 'client', 'address', 'created_at_ms', 'refreshed_at_ms'])
    .where('account_id', '=', accountId)
    .where('expires_at_ms', '>', BigInt(nowMs))
    .orderBy('refreshed_at_ms', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    keyId: row.key_id,
    client: row.client as SignInClient,
    address: row.address,
    createdAtMs: Number(row.created_at_ms),
    refreshedAtMs: Number(row.refreshed_at_ms),
  }))
}

async function find(connection: Connection, familyHash: string, nowMs: number): Promise<SignIn | undefined> {
  const row = await selectOwners(connection)
    .selectAll('sign_ins')
    .where('sign_ins.family_hash', '=', familyHash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...toOwner(row, nowMs),
    id: row.id,
    salt: row.salt,
    refreshHash: row.refresh_hash,
    previousRefreshHash: row.previous_refresh_hash,
    refreshedAtMs: Number(row.refreshed_at_ms),
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
  }
}

async function renew(
  transaction: Connection,
  id: string,
  change: Parameters<DeviceSignInStore['renew']>[1],
): Promise<boolean> {
  const renewed = await transaction
    .updateTable('sign_ins')
    .set({
      refresh_hash: change.refreshHash,
      previous_refresh_hash: change.fromHash,
      refreshed_at_ms: change.nowMs,
      expires_at_ms: change.expiresAtMs,
    })
    .where('id', '=', id)
    .where('refresh_hash', '=', change.fromHash)
    .returning('key_id')
    .executeTakeFirst()
  if (renewed === undefined) return false
  await addToken(transaction, { id, keyId: renewed.key_id, ...change })
  await endOldestTokens(transaction, id)
  return true
}

/** Ends a sign-in and its tokens. Returns its key; undefined if it had ended before. */
async function end(transaction: Connection, id: string): Promise<string | undefined> {
  const ended = await transaction
    .deleteFrom('sign_ins')
    .where('id', '=', id)
    .returning('key_id')
    .executeTakeFirst()
  return ended?.key_id
}

async function addToken(
  transaction: Connection,
  token: { id: string; keyId: string; accessHash: string; accessExpiresAtMs: number },
): Promise<void> {
  await transaction
    .insertInto('sign_in_tokens')
    .values({
      token_hash: token.accessHash,
      sign_in_id: token.id,
      key_id: token.keyId,
      expires_at_ms: token.accessExpiresAtMs,
    })
    .execute()
}

/** Nodes that cache one drop it when they next read it; it would have expired within the hour anyway. */
async function endOldestTokens(transaction: Connection, signInId: string): Promise<void> {
  const old = await transaction
    .selectFrom('sign_in_tokens')
    .select('token_hash')
    .where('sign_in_id', '=', signInId)
    .orderBy('expires_at_ms', 'desc')
    .offset(mostTokens)
    .limit(mostTokens)
    .execute()
  if (old.length === 0) return
  const hashes = old.map(({ token_hash: tokenHash }) => tokenHash)
  await transaction.deleteFrom('sign_in_tokens').where('token_hash', 'in', hashes).execute()
}

/** Ends all but the newest `mostOfKey` sign-ins of a key. Returns false if there was nothing to end. */
async function endOldest(transaction: Connection, keyId: string, mostOfKey: number): Promise<boolean> {
  const old = await transaction
    .selectFrom('sign_ins')
    .select('id')
    .where('key_id', '=', keyId)
    .orderBy('id', 'desc')
    .offset(mostOfKey)
    .limit(mostOfKey)
    .execute()
  if (old.length === 0) return false
  const ids = old.map(({ id }) => id)
  await transaction.deleteFrom('sign_ins').where('id', 'in', ids).execute()
  return true
}

function selectOwners(connection: Connection) {
  return connection
    .selectFrom('sign_ins')
    .innerJoin('api_keys', 'api_keys.id', 'sign_ins.key_id')
    .innerJoin('accounts', 'accounts.id', 'sign_ins.account_id')
    .select([
      'sign_ins.account_id',
      'sign_ins.key_id',
      'api_keys.status as key_status',
      'api_keys.expires_at_ms as key_expires_at_ms',
      'accounts.status as account_status',
      'accounts.email',
      'accounts.email_verified',
    ])
}

interface OwnerRow {
  account_id: string
  key_id: string
  key_status: string
  key_expires_at_ms: bigint | null
  account_status: string
  email: string | null
  email_verified: bigint
}

function toOwner(row: OwnerRow, nowMs: number): SignInOwner {
  const hasExpired = row.key_expires_at_ms !== null && row.key_expires_at_ms <= BigInt(nowMs)
  return {
    accountId: row.account_id,
    keyId: row.key_id,
    isUsable: row.key_status === 'active' && !hasExpired && row.account_status === 'active',
    email: row.email,
    emailVerified: row.email_verified === 1n,
  }
}
