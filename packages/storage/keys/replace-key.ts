import { ledgerAccountId } from '@turnpike/billing'
import { newIdentifier } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { followRotation } from '../budgets/budgets.ts'
import { lockLedger } from '../ledger/key-credit.ts'
import { followHeir } from '../ledger/payer.ts'
import { Posting, sidesOf } from '../ledger/posting.ts'
import { publish } from '../notices.ts'
import type { Connection, ApiKeyTable } from '../schema.ts'

export type ReplacementRefusal = { refused: 'unknown-key' | 'key-revoked' } | { replacedBy: string }

export interface Replacement {
  accountId: string
  keyId: string
  /** The columns in which the new row differs from the old one. */
  changes: Partial<
    Pick<Selectable<ApiKeyTable>, 'key_prefix' | 'key_hash' | 'member_id' | 'project_id' | 'handed_over'>
  >
  /** How all secrets of the old key end; null: they keep working for the new key. */
  ending: { revokes_at_ms: number } | { status: 'revoked'; revoked_at_ms: number } | null
}

/**
 * Creates a new row with the name, limits and credit of the old one. Credit that the old one has in leases,
 * and later charges to it, follow automatically, because the new one is its heir.
 */
export async function replaceKey(
  transaction: Connection,
  { accountId, keyId, changes, ending }: Replacement,
  nowMs: number,
): Promise<{ newKeyId: string } | ReplacementRefusal> {
  const locked = await lockLedger(transaction, { keyIds: [keyId], revoking: keyId })
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
  await insertSuccessor(transaction, { ...old, ...changes, id: newKeyId, created_at_ms: BigInt(nowMs) })
  // Keys whose heir was the old key now have the new one.
  await transaction
    .updateTable('api_keys')
    .set({ replaced_by: newKeyId })
    .where((expression) =>
      expression.or([expression('replaced_by', '=', keyId), expression('id', '=', keyId)]),
    )
    .execute()
  // Including rows handed over earlier: their secrets stand for this key like its own.
  if (ending !== null)
    await transaction
      .updateTable('api_keys')
      .set(ending)
      .where('replaced_by', '=', newKeyId)
      .where('status', '=', 'active')
      .where('revokes_at_ms', 'is', null)
      .execute()
  const [oldAccount, newAccount] = [ledgerAccountId.key(keyId), ledgerAccountId.key(newKeyId)]
  locked.balances.set(newAccount, { balancePico: 0n, leasedPico: 0n })
  const posting = new Posting(locked, nowMs)
  await followHeir(transaction, posting, { keyId, heir: newAccount })
  const freePico = posting.freePico(oldAccount)
  if (freePico !== 0n)
    posting.transfer({
      kind: 'transfer',
      reference: `rotate:${keyId}`,
      ...sidesOf(oldAccount, newAccount, freePico),
      accountId,
      createdAtMs: nowMs,
    })
  await posting.post(transaction)
  await followRotation(transaction, { accountId, keyId, newKeyId })
  await publish(transaction, { about: 'key', keyId })
  return { newKeyId }
}

async function insertSuccessor(transaction: Connection, key: Selectable<ApiKeyTable>): Promise<void> {
  await transaction
    .insertInto('api_keys')
    .values({ ...key, last_used_at_ms: null })
    .execute()
  await transaction
    .insertInto('ledger_accounts')
    .values({
      id: ledgerAccountId.key(key.id),
      kind: 'key_credit',
      account_id: key.account_id,
      key_id: key.id,
      balance_pico: 0n,
      leased_pico: 0n,
    })
    .execute()
}
