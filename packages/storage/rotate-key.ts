import { ledgerAccountId } from '@turnpike/billing'
import type { KeyRotation } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import type { Kysely } from 'kysely'
import { followRotation } from './budgets/budgets.ts'
import type { Engine } from './engine.ts'
import { lockLedger } from './ledger/key-credit.ts'
import { followHeir } from './ledger/payer.ts'
import { Posting } from './ledger/posting.ts'
import { publish } from './notices.ts'
import type { Schema } from './schema.ts'

export type RotationRefusal = { refused: 'unknown-key' | 'key-revoked' } | { replacedBy: string }

/**
 * A new key with the name, limits and credit of the old one. What the old one has in leases, and what is
 * charged to it later, follows by itself: the new one is its heir.
 */
export async function rotateKey(
  engine: Engine,
  transaction: Kysely<Schema>,
  rotation: KeyRotation,
  nowMs: number,
): Promise<{ newKeyId: string } | RotationRefusal> {
  const { accountId, keyId, graceMs } = rotation
  const locked = await lockLedger(engine, transaction, { keyIds: [keyId], revoking: keyId })
  const old = await transaction
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .where('purpose', 'is', null)
    .executeTakeFirst()
  if (old === undefined) return { refused: 'unknown-key' }
  if (old.replaced_by !== null) return { replacedBy: old.replaced_by }
  if (old.status !== 'active') return { refused: 'key-revoked' }
  const newKeyId = newIdentifier('key', nowMs)
  await transaction
    .insertInto('api_keys')
    .values({
      ...old,
      id: newKeyId,
      key_prefix: rotation.keyPrefix,
      key_hash: rotation.keyHash,
      created_at_ms: nowMs,
      last_used_at_ms: null,
    })
    .execute()
  await transaction
    .insertInto('ledger_accounts')
    .values({
      id: ledgerAccountId.key(newKeyId),
      kind: 'key_credit',
      account_id: accountId,
      key_id: newKeyId,
      balance_pico: 0n,
      leased_pico: 0n,
    })
    .execute()
  // Whose heir the old key was, the new one is now.
  await transaction
    .updateTable('api_keys')
    .set({ replaced_by: newKeyId })
    .where((expression) =>
      expression.or([expression('replaced_by', '=', keyId), expression('id', '=', keyId)]),
    )
    .execute()
  const ending =
    graceMs > 0 ? { revokes_at_ms: nowMs + graceMs } : { status: 'revoked', revoked_at_ms: nowMs }
  await transaction.updateTable('api_keys').set(ending).where('id', '=', keyId).execute()
  locked.balances.set(ledgerAccountId.key(newKeyId), { balancePico: 0n, leasedPico: 0n })
  const posting = new Posting(locked, nowMs)
  await followHeir(transaction, posting, { keyId, heir: ledgerAccountId.key(newKeyId) })
  moveCredit(posting, { accountId, keyId, newKeyId, nowMs })
  await posting.post(engine, transaction)
  await followRotation(transaction, { accountId, keyId, newKeyId })
  await publish(engine, transaction, { about: 'key', keyId })
  return { newKeyId }
}

/** All that is neither spent nor leased, be that above or below zero. */
function moveCredit(
  posting: Posting,
  {
    accountId,
    keyId,
    newKeyId,
    nowMs,
  }: { accountId: string; keyId: string; newKeyId: string; nowMs: number },
): void {
  const from = ledgerAccountId.key(keyId)
  const to = ledgerAccountId.key(newKeyId)
  const freePico = posting.freePico(from)
  if (freePico === 0n) return
  posting.transfer({
    kind: 'transfer',
    reference: `rotate:${keyId}`,
    debitAccount: freePico > 0n ? from : to,
    creditAccount: freePico > 0n ? to : from,
    amountPico: freePico > 0n ? freePico : -freePico,
    accountId,
    createdAtMs: nowMs,
  })
}
