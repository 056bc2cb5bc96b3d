import { randomBytes } from 'node:crypto'
import type { KeyHandOver } from '@turnpike/identity'
import { holdKeyOwner } from '../organizations/key-owner.ts'
import { replaceKey, type ReplacementRefusal } from './replace-key.ts'
import type { Connection } from '../schema.ts'

const hashBytes = 32

/**
 * The key goes to another member or project: a new row, so that what was charged stays with whom it was
 * charged to. The old row's secret stands for the new one without end, which has none of its own: its hash is
 * of nothing that anybody knows.
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
  // Devices are their person's, and do not go along.
  const before = transaction.selectFrom('api_keys').select('id').where('replaced_by', '=', result.newKeyId)
  await transaction.deleteFrom('sign_ins').where('key_id', 'in', before).execute()
  await transaction.deleteFrom('device_requests').where('key_id', 'in', before).execute()
  return result
}

/** Whose a key is, which never changes. */
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
