import { randomBytes } from 'node:crypto'
import type { KeyHandOver } from '@turnpike/identity'
import { holdKeyOwner } from '../organizations/key-owner.ts'
import { replaceKey, type ReplacementRefusal } from './replace-key.ts'
import type { Connection } from '../schema.ts'

const hashBytes = 32

/**
 * Hands a key over to another member or project by creating a new row, so that earlier charges stay with the
 * old owner. The old row's secret keeps working for the new row, which has only a random hash.
 */
export async function handOverKey(
  transaction: Connection,
  { accountId, keyId, memberId, projectId }: KeyHandOver,
  nowMs: number,
): Promise<{ newKeyId: string } | ReplacementRefusal> {
  const owner = memberId === undefined ? await memberOf(transaction, accountId, keyId) : memberId
  await holdKeyOwner(transaction, accountId, { memberId: owner, projectId })
  const result = await replaceKey(
    transaction,
    {
      accountId,
      keyId,
      changes: {
        key_hash: randomBytes(hashBytes).toString('hex'),
        handed_over: 1n,
        ...(memberId !== undefined && { member_id: memberId }),
        ...(projectId !== undefined && { project_id: projectId }),
      },
      ending: null,
    },
    nowMs,
  )
  if (!('newKeyId' in result)) return result
  // Device sign-ins belong to the old owner and end here.
  const before = transaction.selectFrom('api_keys').select('id').where('replaced_by', '=', result.newKeyId)
  await transaction.deleteFrom('sign_ins').where('key_id', 'in', before).execute()
  await transaction.deleteFrom('device_requests').where('key_id', 'in', before).execute()
  return result
}

/** The owner of a key, which never changes. */
export async function memberOf(
  transaction: Connection,
  accountId: string,
  keyId: string,
): Promise<string | null> {
  const key = await transaction
    .selectFrom('api_keys')
    .select('member_id')
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('replaced_by', 'is', null)
    .executeTakeFirst()
  return key?.member_id ?? null
}
