import type { DeviceRequest, DeviceSignInStore, SignInClient } from '@turnpike/identity'
import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { DeviceRequestTable } from '../schema.ts'

type RequestStore = Pick<
  DeviceSignInStore,
  'begin' | 'findWaiting' | 'findByDeviceCode' | 'deny' | 'claim' | 'release' | 'approve'
>

/** Devices that have been given a code. */
export function deviceRequestStore({ write }: Database): RequestStore {
  return {
    async begin({ deviceCodeHash, userCode, client, address, createdAtMs, expiresAtMs }) {
      const { numInsertedOrUpdatedRows } = await write
        .insertInto('device_requests')
        .values({
          device_code_hash: deviceCodeHash,
          user_code: userCode,
          client,
          address,
          status: 'pending',
          created_at_ms: createdAtMs,
          expires_at_ms: expiresAtMs,
          account_id: null,
          key_id: null,
        })
        .onConflict((conflict) => conflict.column('user_code').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows !== 0n
    },
    async findWaiting(userCode, nowMs) {
      const row = await write
        .selectFrom('device_requests')
        .selectAll()
        .where('user_code', '=', userCode)
        .where('status', '=', 'pending')
        .where('expires_at_ms', '>', BigInt(nowMs))
        .executeTakeFirst()
      return row && toRequest(row)
    },
    async findByDeviceCode(deviceCodeHash) {
      const row = await write
        .selectFrom('device_requests')
        .selectAll()
        .where('device_code_hash', '=', deviceCodeHash)
        .executeTakeFirst()
      return row && toRequest(row)
    },
    async deny(userCode, nowMs) {
      const { numUpdatedRows } = await pending(write, userCode)
        .set({ status: 'denied' })
        .where('account_id', 'is', null)
        .where('expires_at_ms', '>', BigInt(nowMs))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async claim(userCode, accountId, nowMs) {
      const { numUpdatedRows } = await pending(write, userCode)
        .set({ account_id: accountId })
        .where('account_id', 'is', null)
        .where('expires_at_ms', '>', BigInt(nowMs))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async release(userCode, accountId) {
      await pending(write, userCode).set({ account_id: null }).where('account_id', '=', accountId).execute()
    },
    async approve(userCode, accountId, keyId) {
      const { numUpdatedRows } = await pending(write, userCode)
        .set({ status: 'approved', key_id: keyId })
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

function pending(write: Database['write'], userCode: string) {
  return write
    .updateTable('device_requests')
    .where('user_code', '=', userCode)
    .where('status', '=', 'pending')
}

function toRequest(row: Selectable<DeviceRequestTable>): DeviceRequest {
  return {
    deviceCodeHash: row.device_code_hash,
    userCode: row.user_code,
    client: row.client as SignInClient,
    address: row.address,
    status: row.status as DeviceRequest['status'],
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
  }
}
