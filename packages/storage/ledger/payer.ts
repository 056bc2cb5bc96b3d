import { keyOfLedgerAccount, ledgerAccountId } from '@turnpike/billing'
import { PayerRefused } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { sql } from 'kysely'
import type { Connection } from '../schema.ts'
import { highSum, joinSum, lowSum } from '../database/wide-sum.ts'
import { lockLedger, type LockedKey } from './key-credit.ts'
import { Posting, sidesOf } from './posting.ts'

/**
 * A change of the key that pays for another. `draws_on` changes under the lock of the ledger account that has
 * paid until then. Leasing, returning and charging credit hold that lock too, so none sees a change in
 * between. The credit in the key's leases moves along by a `transfer`, so that running requests stay covered.
 */
export interface PayerChange {
  key: Pick<LockedKey, 'keyId' | 'accountId' | 'payerId' | 'isLive' | 'active'>
  /** The key that pays from now on, itself or another one; locked too. */
  payerId: string
  nowMs: number
}

/** Changes the key that pays. Credit or debt of the key's own moves to the new payer. */
export async function changePayer(
  transaction: Connection,
  posting: Posting,
  { key, payerId, nowMs }: PayerChange,
): Promise<void> {
  const { keyId, accountId } = key
  const isSame = key.payerId === payerId
  if (isSame && payerId === keyId) return
  // If the payer stays the same, this corrects what an older node has charged to the key itself.
  const [from, to] = [ledgerAccountId.key(isSame ? keyId : key.payerId), ledgerAccountId.key(payerId)]
  const leasedPico = isSame ? 0n : await sumLeases(transaction, [keyId])
  posting.moveLeased(from, to, leasedPico)
  const movedPico = isSame || key.payerId === keyId ? posting.freePico(from) : leasedPico
  if (movedPico !== 0n)
    posting.transfer({
      kind: 'transfer',
      reference: `draws-on:${keyId}:${newIdentifier('led', nowMs)}`,
      ...sidesOf(from, to, movedPico),
      accountId,
      createdAtMs: nowMs,
    })
  await setPayer(transaction, [keyId], payerId)
  key.payerId = payerId
  key.active = key.isLive && payerId === keyId
}

/**
 * Sets a key's `draws_on`; null gives the key its own credit.
 * @throws {PayerRefused}
 */
export async function drawOn(
  transaction: Connection,
  {
    accountId,
    keyId,
    drawsOn,
    nowMs,
  }: { accountId: string; keyId: string; drawsOn: string | null; nowMs: number },
): Promise<void> {
  const keyIds = drawsOn === null ? [keyId] : [keyId, drawsOn]
  const locked = await lockLedger(transaction, { keyIds })
  const key = locked.keys.get(keyId)
  if (key === undefined || key.accountId !== accountId) return
  if (!key.isLive) throw new PayerRefused('key-inactive')
  if (drawsOn === keyId) throw new PayerRefused('same-key')
  if (drawsOn !== null) {
    requirePayer(locked.keys.get(drawsOn), accountId)
    if (await paysForOthers(transaction, keyId)) throw new PayerRefused('is-payer')
  }
  const posting = new Posting(locked, nowMs)
  await changePayer(transaction, posting, { key, payerId: drawsOn ?? keyId, nowMs })
  await posting.post(transaction)
}

/** A key that receives credit by name uses its own credit from then on. */
export async function takeOwnCredit(
  transaction: Connection,
  posting: Posting,
  key: LockedKey | undefined,
  nowMs: number,
): Promise<void> {
  if (key?.isLive === true) await changePayer(transaction, posting, { key, payerId: key.keyId, nowMs })
}

/**
 * Returns the key if another one of the account may draw on it.
 * @throws {PayerRefused}
 */
export function requirePayer(payer: LockedKey | undefined, accountId: string): LockedKey {
  if (payer?.accountId !== accountId || payer.isHidden) throw new PayerRefused('unknown-payer')
  if (!payer.isLive) throw new PayerRefused('payer-inactive')
  if (payer.payerId !== payer.keyId) throw new PayerRefused('payer-draws')
  return payer
}

/** Whether other keys draw on this one. A handed-over row counts only while its requests hold credit. */
async function paysForOthers(connection: Connection, payerId: string): Promise<boolean> {
  const row = await connection
    .selectFrom('api_keys')
    .select('id')
    .where('draws_on', '=', payerId)
    .where('status', '=', 'active')
    .where((where) =>
      where.or([
        where('replaced_by', 'is', null),
        where('revokes_at_ms', 'is not', null),
        where.exists(
          where
            .selectFrom('leases')
            .select('leases.key_id')
            .whereRef('leases.key_id', '=', 'api_keys.id')
            .where('amount_pico', '>', 0n),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Active keys that draw on this one, including those in a rotation's grace period. */
async function drawersOf(connection: Connection, payerId: string): Promise<string[]> {
  const rows = await connection
    .selectFrom('api_keys')
    .select('id')
    .where('draws_on', '=', payerId)
    .where('status', '=', 'active')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Lets the keys that drew on a revoked or replaced key draw on its heir, with the credit in their leases. If
 * the heir is one of them, it gets its own credit. The caller then moves the free credit.
 */
export async function followHeir(
  transaction: Connection,
  posting: Posting,
  { keyId, heir }: Pick<LockedKey, 'keyId' | 'heir'>,
): Promise<void> {
  const heirId = keyOfLedgerAccount(heir)
  const drawers = await drawersOf(transaction, keyId)
  if (heirId === undefined || drawers.length === 0) return
  posting.moveLeased(ledgerAccountId.key(keyId), heir, await sumLeases(transaction, drawers))
  await setPayer(transaction, drawers, heirId)
}

async function setPayer(transaction: Connection, keyIds: readonly string[], payerId: string): Promise<void> {
  await transaction
    .updateTable('api_keys')
    .set({ draws_on: sql<string | null>`CASE WHEN id = ${payerId} THEN NULL ELSE ${payerId} END` })
    .where('id', 'in', keyIds)
    .execute()
}

/** The sum of all nodes' leases of these keys. */
async function sumLeases(transaction: Connection, keyIds: readonly string[]): Promise<bigint> {
  const row = await transaction
    .selectFrom('leases')
    .select([highSum('amount_pico').as('high'), lowSum('amount_pico').as('low')])
    .where('key_id', 'in', keyIds)
    .executeTakeFirstOrThrow()
  return joinSum(row)
}
