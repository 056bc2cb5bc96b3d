import {
  ledgerAccountId,
  maxPico,
  type CreditMovement,
  type LedgerFilter,
  type LedgerStore,
  type LedgerTransfer,
  type MovementRefusal,
  type MovementResult,
  type TransferKind,
} from '@turnpike/billing'
import { firstIdentifierAt } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { ChangedIds } from '../database/changed-ids.ts'
import type { Database } from '../database/database.ts'
import type { Connection, LedgerTransferTable } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { recallOverdrawn } from './account-credit.ts'
import { lockLedger, type LockedKey } from './key-credit.ts'
import { takeOwnCredit } from './payer.ts'
import { Posting, sidesOf, type NewTransfer } from './posting.ts'
import { debitedAccount, requestIdOfEntry, turnIntoTransfer, usageEntries } from './usage-entries.ts'
import { verifyLedger, type Recompute } from './verify.ts'

type KeyTransfer = Parameters<LedgerStore['transferBetweenKeys']>[0]

/** @param taken collects accounts from which credit was taken */
export function ledgerStore(
  database: Database,
  recompute: Recompute | undefined,
  taken?: ChangedIds,
): LedgerStore {
  return {
    async move(movement, nowMs) {
      checkAmount(movement)
      const moved = await inTransaction(database, async (transaction) => {
        const moved = await move(transaction, movement, nowMs)
        const isDebit = 'transfer' in moved && movement.amountPico < 0n
        const accountIds = isDebit ? [movement.accountId] : []
        await recallOverdrawn(transaction, accountIds)
        return moved
      })
      if (movement.amountPico < 0n) taken?.note([movement.accountId])
      return moved
    },
    async transferBetweenKeys(transfer, nowMs) {
      if (transfer.amountPico <= 0n || transfer.amountPico > maxPico)
        throw new RangeError('a transfer between keys must be above zero and within 64 bits')
      return inTransaction(database, (transaction) => transferBetweenKeys(transaction, transfer, nowMs))
    },
    async list(accountId, { limit, cursor }, filter = {}) {
      const cursors = cursorsOf(`ledger:${accountId}`, ['text'])
      const before = cursor === undefined ? undefined : cursors.decode(cursor)[0]
      const page = { before, most: limit + 1 }
      // Charges first: one that becomes a transfer meanwhile is then in both, and not in neither.
      const charges = await chargesOf(database.read, accountId, filter, page)
      const transfers = await transfersOf(database.read, accountId, filter, page)
      const rows = new Map([...charges, ...transfers].map((row) => [row.id, row]))
      const sorted = [...rows.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
      return pageOf(sorted.slice(0, limit + 1).map(toTransfer), limit, cursors, (row) => [row.id])
    },
    verify: (options) => verifyLedger(database, recompute, options),
  }
}

/** Which part of a list to read, newest first. */
interface Page {
  /** Undefined: start with the newest. */
  before: string | undefined
  most: number
}

function transfersOf(
  connection: Connection,
  accountId: string,
  { kinds, keyId, fromMs, toMs }: LedgerFilter,
  { before, most }: Page,
): Promise<Selectable<LedgerTransferTable>[]> {
  const ofKey = ledgerAccountId.key(keyId ?? '')
  return (
    connection
      .selectFrom('ledger_transfers')
      .selectAll()
      .where('account_id', '=', accountId)
      .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds!))
      // Nearly all entries are usage: this condition makes the partial index of the others apply.
      .$if(kinds?.includes('usage') === false, (query) => query.where('kind', '<>', 'usage'))
      .$if(keyId !== undefined, (query) =>
        query.where((entry) =>
          entry.or([entry('debit_account', '=', ofKey), entry('credit_account', '=', ofKey)]),
        ),
      )
      .$if(fromMs !== undefined, (query) =>
        query
          .where('created_at_ms', '>=', BigInt(fromMs!))
          // No entry is posted before its date.
          .where('id', '>=', firstIdentifierAt('led', fromMs!)),
      )
      .$if(toMs !== undefined, (query) => query.where('created_at_ms', '<', BigInt(toMs!)))
      .$if(before !== undefined, (query) => query.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(most)
      .execute()
  )
}

/** Charges that are not transfers. */
async function chargesOf(
  connection: Connection,
  accountId: string,
  { kinds, keyId, fromMs, toMs }: LedgerFilter,
  { before, most }: Page,
): Promise<Selectable<LedgerTransferTable>[]> {
  if (kinds?.includes('usage') === false) return []
  return usageEntries(connection)
    .where('account_id', '=', accountId)
    .$if(keyId !== undefined, (query) => query.where(debitedAccount, '=', ledgerAccountId.key(keyId!)))
    .$if(fromMs !== undefined, (query) => query.where('requests.id', '>=', firstIdentifierAt('req', fromMs!)))
    .$if(toMs !== undefined, (query) => query.where('requests.id', '<', firstIdentifierAt('req', toMs!)))
    .$if(before !== undefined, (query) => query.where('requests.id', '<', requestIdOfEntry(before!)))
    .orderBy('requests.id', 'desc')
    .limit(most)
    .execute()
}

function checkAmount({ kind, amountPico, corrects }: CreditMovement): void {
  const magnitude = amountPico < 0n ? -amountPico : amountPico
  if (magnitude === 0n || magnitude > maxPico)
    throw new RangeError('a movement must be within 64 bits, not zero')
  if ((kind === 'grant' || kind === 'topup') && amountPico < 0n) throw new RangeError(`a ${kind} adds credit`)
  if (kind === 'refund' && amountPico > 0n) throw new RangeError('a refund takes credit')
  if (corrects !== undefined && kind !== 'adjustment') throw new RangeError('only an adjustment corrects')
}

/** The operator's ledger account for each kind of movement. */
export const operatorAccounts = {
  grant: ledgerAccountId.operator('grants'),
  topup: ledgerAccountId.operator('payments'),
  refund: ledgerAccountId.operator('refunds'),
  adjustment: ledgerAccountId.operator('adjustments'),
} as const

async function move(
  transaction: Connection,
  movement: CreditMovement,
  nowMs: number,
): Promise<MovementResult> {
  const { accountId, keyId, amountPico, kind, corrects = null } = movement
  const corrected = corrects === null ? undefined : await findTransfer(transaction, accountId, corrects)
  if (corrects !== null && corrected === undefined) return { refused: 'unknown-transfer' }
  const named = keyId ?? (corrected === undefined ? undefined : keyOf(corrected))
  const locked = await lockLedger(
    transaction,
    named === undefined ? { keyIds: [], accountIds: [accountId] } : { keyIds: [named] },
  )
  const customer = customerOf(locked, { accountId, keyId, named, isCredit: amountPico > 0n })
  const operator = operatorAccounts[kind]
  const transfer: NewTransfer = {
    kind,
    reference: movement.reference,
    ...sidesOf(operator, customer, amountPico),
    accountId,
    reason: movement.reason,
    correctsTransferId: corrects,
    createdAtMs: nowMs,
  }
  const first = await findByReference(transaction, movement.reference)
  // The key that a debit is charged to may have changed since.
  const fixed = amountPico > 0n ? keyId : undefined
  if (first !== undefined) return sameMovement(first, transfer, fixed) ? { transfer: first } : reused
  if (named === undefined && !locked.balances.has(ledgerAccountId.unassigned(accountId)))
    return { refused: 'unknown-account' }
  if (keyId !== undefined) {
    const refused = await refusalOfKey(transaction, locked.keys.get(keyId), accountId)
    if (refused !== undefined) return { refused }
  }
  const posting = new Posting(locked, nowMs)
  if (amountPico > 0n) await takeOwnCredit(transaction, posting, locked.keys.get(keyId ?? ''), nowMs)
  return postOne(transaction, posting, transfer)
}

/**
 * The customer's side. A named key gets credit itself, but a debit goes to the key that it draws on. Without
 * a name: the key of the corrected entry or its heir, else the default key.
 */
function customerOf(
  locked: Awaited<ReturnType<typeof lockLedger>>,
  { accountId, keyId, named, isCredit }: Customer,
): string {
  if (keyId !== undefined) {
    const key = locked.keys.get(keyId)
    return key?.isLive === true && !key.active && !isCredit ? key.heir : ledgerAccountId.key(keyId)
  }
  if (named === undefined) return locked.heirs.get(accountId)!
  const key = locked.keys.get(named)!
  return key.active ? ledgerAccountId.key(named) : key.heir
}

interface Customer {
  accountId: string
  keyId: string | undefined
  named: string | undefined
  isCredit: boolean
}

/** For an entry between two keys, the one that was debited. */
function keyOf({ debitAccount, creditAccount }: LedgerTransfer): string | undefined {
  const prefix = ledgerAccountId.key('')
  return [debitAccount, creditAccount].find((id) => id.startsWith(prefix))?.slice(prefix.length)
}

/** The entry to correct. A charge becomes a transfer, because corrections refer to transfers. */
async function findTransfer(
  transaction: Connection,
  accountId: string,
  id: string,
): Promise<LedgerTransfer | undefined> {
  await turnIntoTransfer(transaction, accountId, requestIdOfEntry(id))
  const row = await transaction
    .selectFrom('ledger_transfers')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row === undefined ? undefined : toTransfer(row)
}

async function transferBetweenKeys(
  transaction: Connection,
  { accountId, fromKeyId, toKeyId, amountPico, reference }: KeyTransfer,
  nowMs: number,
): Promise<MovementResult> {
  const locked = await lockLedger(transaction, { keyIds: [fromKeyId, toKeyId] })
  const transfer: NewTransfer = {
    kind: 'transfer',
    reference,
    debitAccount: ledgerAccountId.key(fromKeyId),
    creditAccount: ledgerAccountId.key(toKeyId),
    amountPico,
    accountId,
    createdAtMs: nowMs,
  }
  const first = await findByReference(transaction, reference)
  if (first !== undefined) return sameMovement(first, transfer, toKeyId) ? { transfer: first } : reused
  if (fromKeyId === toKeyId) return { refused: 'same-key' }
  for (const keyId of [fromKeyId, toKeyId]) {
    const refused = await refusalOfKey(transaction, locked.keys.get(keyId), accountId)
    if (refused !== undefined) return { refused }
  }
  const posting = new Posting(locked, nowMs)
  if (posting.freePico(transfer.debitAccount) < amountPico) return { refused: 'insufficient-credit' }
  await takeOwnCredit(transaction, posting, locked.keys.get(toKeyId), nowMs)
  return postOne(transaction, posting, transfer)
}

const reused = { refused: 'reference-reused' } as const

async function postOne(
  transaction: Connection,
  posting: Posting,
  transfer: NewTransfer,
): Promise<MovementResult> {
  const posted = posting.transfer(transfer)
  if (posting.overflows()) return { refused: 'balance-limit' }
  await posting.post(transaction)
  return { transfer: posted }
}

async function refusalOfKey(
  transaction: Connection,
  key: Pick<LockedKey, 'accountId' | 'isLive' | 'isHidden'> | undefined,
  accountId: string,
): Promise<MovementRefusal | undefined> {
  if (key?.accountId === accountId && !key.isHidden) return key.isLive ? undefined : 'key-revoked'
  const account = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return account === undefined ? 'unknown-account' : 'unknown-key'
}

export async function findByReference(
  transaction: Connection,
  reference: string,
): Promise<LedgerTransfer | undefined> {
  const row = await transaction
    .selectFrom('ledger_transfers')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row === undefined ? undefined : toTransfer(row)
}

/**
 * Whether a repeated movement is the one that was posted. If it named no key, or took credit from one, the
 * customer's side may differ by now, because another key is the default or pays for the named one. The first
 * transfer is still the result then.
 * @param keyId the key whose side must be the same; undefined: any of the account's
 */
function sameMovement(first: LedgerTransfer, again: NewTransfer, keyId: string | undefined): boolean {
  const sides = (transfer: Pick<LedgerTransfer, 'debitAccount' | 'creditAccount'>): string =>
    [transfer.debitAccount, transfer.creditAccount]
      .map((account) => (keyId === undefined && account.includes(':') ? 'customer' : account))
      .join(' ')
  return (
    first.kind === again.kind &&
    first.accountId === again.accountId &&
    first.amountPico === again.amountPico &&
    first.reason === (again.reason ?? null) &&
    first.correctsTransferId === (again.correctsTransferId ?? null) &&
    sides(first) === sides(again)
  )
}

function toTransfer(row: Selectable<LedgerTransferTable>): LedgerTransfer {
  return {
    id: row.id,
    kind: row.kind as TransferKind,
    reference: row.reference,
    debitAccount: row.debit_account,
    creditAccount: row.credit_account,
    amountPico: row.amount_pico,
    accountId: row.account_id,
    requestId: row.request_id,
    reason: row.reason,
    correctsTransferId: row.corrects_transfer_id,
    createdAtMs: Number(row.created_at_ms),
  }
}
