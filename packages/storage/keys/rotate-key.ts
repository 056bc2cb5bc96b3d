import type { KeyRotation } from '@turnpike/identity'
import { memberOf } from './hand-over-key.ts'
import { holdKeyOwner } from '../organizations/key-owner.ts'
import { replaceKey, type ReplacementRefusal } from './replace-key.ts'
import type { Connection } from '../schema.ts'

/**
 * Replaces a key by a new one with the same name, limits and credit. The secrets of the old one end,
 * including those of rows that were handed over to it.
 */
export async function rotateKey(
  transaction: Connection,
  { accountId, keyId, keyPrefix, keyHash, graceMs }: KeyRotation,
  nowMs: number,
): Promise<{ newKeyId: string } | ReplacementRefusal> {
  // Read before the ledger is locked.
  const memberId = await memberOf(transaction, accountId, keyId)
  await holdKeyOwner(transaction, accountId, { memberId })
  const ending =
    graceMs > 0 ? { revokes_at_ms: nowMs + graceMs } : { status: 'revoked' as const, revoked_at_ms: nowMs }
  const changes = { key_prefix: keyPrefix, key_hash: keyHash, handed_over: 0n }
  return replaceKey(transaction, { accountId, keyId, changes, ending }, nowMs)
}
