import { keyOfLedgerAccount, ledgerAccountId } from '@turnpike/billing'
import type { NewApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { keyMadeFor } from '../device-sign-ins/key-made-for.ts'
import { limitColumns } from './key-columns.ts'
import { lockLedger } from '../ledger/key-credit.ts'
import { changePayer, followHeir, requirePayer } from '../ledger/payer.ts'
import { Posting, sidesOf } from '../ledger/posting.ts'
import { holdKeyOwner } from '../organizations/key-owner.ts'
import type { Connection } from '../schema.ts'

/**
 * Creates a key and its ledger account. The account's unassigned credit or debt moves to the key that pays.
 * If several keys are created at once for devices with one program, or for the gateway's own use, all callers
 * get the first one. If such a hidden key held the account's credit, the new key takes it over.
 */
export async function createKey(transaction: Connection, key: NewApiKey, nowMs: number): Promise<string> {
  const { accountId, drawsOn = null } = key
  await holdKeyOwner(transaction, accountId, key)
  const named = drawsOn === null || drawsOn === 'default' ? [] : [drawsOn]
  const locked = await lockLedger(transaction, { keyIds: named, accountIds: [accountId] })
  const defaultId = keyOfLedgerAccount(locked.heirs.get(accountId)!)
  if (key.purpose !== undefined) {
    const own = await findHiddenKey(transaction, accountId, key.memberId ?? null)
    if (own !== undefined) return own.id
  }
  const caretaker = await caretakerOf(transaction, defaultId)
  const payerId =
    drawsOn === 'default'
      ? caretaker === undefined || key.purpose !== undefined
        ? defaultId
        : undefined
      : named.map((id) => requirePayer(locked.keys.get(id), accountId).keyId)[0]
  if (key.madeFor !== undefined) {
    const before = await keyMadeFor(transaction, key.accountId, key.madeFor, nowMs, key.memberId)
    if (before !== undefined) return before
  }
  const keyId = newIdentifier('key', nowMs)
  await insert(transaction, key, { keyId, payerId, nowMs })
  const account = ledgerAccountId.key(keyId)
  locked.balances.set(account, { balancePico: 0n, leasedPico: 0n })
  const paying = payerId === undefined ? account : ledgerAccountId.key(payerId)
  const posting = new Posting(locked, nowMs)
  const unassigned = ledgerAccountId.unassigned(key.accountId)
  const waitingPico = posting.freePico(unassigned)
  if (waitingPico !== 0n)
    posting.transfer({
      kind: 'transfer',
      reference: `unassigned:${keyId}`,
      ...sidesOf(unassigned, paying, waitingPico),
      accountId: key.accountId,
      createdAtMs: nowMs,
    })
  if (caretaker !== undefined && key.purpose === undefined) {
    // Other members' hidden keys draw on it, if there are any.
    await followHeir(transaction, posting, { keyId: caretaker.id, heir: account })
    await changePayer(transaction, posting, {
      key: { keyId: caretaker.id, accountId, payerId: caretaker.id, isLive: true, active: true },
      payerId: keyId,
      nowMs,
    })
  }
  await posting.post(transaction)
  return keyId
}

/** The key that the gateway created for itself, for this member or for the account's person. */
function findHiddenKey(
  transaction: Connection,
  accountId: string,
  memberId: string | null,
): Promise<{ id: string } | undefined> {
  return transaction
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('member_id', memberId === null ? 'is' : '=', memberId)
    .where('purpose', 'is not', null)
    .where('status', '=', 'active')
    .executeTakeFirst()
}

/** The default key, if the gateway created it for itself: it holds credit until the owner creates one. */
async function caretakerOf(
  transaction: Connection,
  defaultId: string | undefined,
): Promise<{ id: string } | undefined> {
  if (defaultId === undefined) return undefined
  return transaction
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', defaultId)
    .where('purpose', 'is not', null)
    .executeTakeFirst()
}

async function insert(
  transaction: Connection,
  key: NewApiKey,
  { keyId, payerId, nowMs }: { keyId: string; payerId: string | undefined; nowMs: number },
): Promise<void> {
  await transaction
    .insertInto('api_keys')
    .values({
      id: keyId,
      account_id: key.accountId,
      name: key.name,
      key_prefix: key.keyPrefix,
      key_hash: key.keyHash,
      status: 'active',
      created_at_ms: nowMs,
      last_used_at_ms: null,
      revoked_at_ms: null,
      draws_on: payerId ?? null,
      ...(key.madeFor !== undefined && { made_for: key.madeFor }),
      ...(key.purpose !== undefined && { purpose: key.purpose }),
      member_id: key.memberId ?? null,
      project_id: key.projectId ?? null,
      ...limitColumns(key),
    })
    .execute()
  await transaction
    .insertInto('ledger_accounts')
    .values({
      id: ledgerAccountId.key(keyId),
      kind: 'key_credit',
      account_id: key.accountId,
      key_id: keyId,
      balance_pico: 0n,
      leased_pico: 0n,
    })
    .execute()
}
