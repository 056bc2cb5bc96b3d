import { ledgerAccountId, maxPico, type LedgerTransfer } from '@turnpike/billing'
import { newIdentifier } from '@turnpike/protocol'
import { bulkInsert, bulkUpdate, type BulkColumn, type BulkValue } from '../database/bulk.ts'
import type { Connection } from '../schema.ts'
import type { LockedBalance, LockedKey, LockedLedger } from './key-credit.ts'

export type NewTransfer = Pick<
  LedgerTransfer,
  'kind' | 'reference' | 'debitAccount' | 'creditAccount' | 'amountPico' | 'accountId' | 'createdAtMs'
> &
  Partial<Pick<LedgerTransfer, 'requestId' | 'reason' | 'correctsTransferId'>>

/**
 * The sides of a transfer that moves an amount from one ledger account to another. An amount below zero, such
 * as a debt, moves the other way.
 */
export function sidesOf(
  from: string,
  to: string,
  pico: bigint,
): Pick<NewTransfer, 'debitAccount' | 'creditAccount' | 'amountPico'> {
  if (pico > 0n) return { debitAccount: from, creditAccount: to, amountPico: pico }
  return { debitAccount: to, creditAccount: from, amountPico: -pico }
}

/**
 * Everything that one transaction posts: its transfers, and the resulting changes of cached balances and
 * leases. Transfers and balances reach the database only through this class, so they cannot diverge.
 */
export class Posting {
  readonly #locked: LockedLedger
  readonly #nowMs: number
  readonly #transfers: LedgerTransfer[] = []
  readonly #leases: BulkValue[] = []
  readonly #changes = new Map<string, LockedBalance>()

  constructor(locked: LockedLedger, nowMs: number) {
    this.#locked = locked
    this.#nowMs = nowMs
  }

  /** Debits one ledger account and credits the other. */
  transfer(transfer: NewTransfer): LedgerTransfer {
    const posted: LedgerTransfer = {
      id: newIdentifier('led', this.#nowMs),
      kind: transfer.kind,
      reference: transfer.reference,
      debitAccount: transfer.debitAccount,
      creditAccount: transfer.creditAccount,
      amountPico: transfer.amountPico,
      accountId: transfer.accountId,
      requestId: transfer.requestId ?? null,
      reason: transfer.reason ?? null,
      correctsTransferId: transfer.correctsTransferId ?? null,
      createdAtMs: transfer.createdAtMs,
    }
    this.#transfers.push(posted)
    this.#change(posted.debitAccount, -posted.amountPico, 0n)
    this.#change(posted.creditAccount, posted.amountPico, 0n)
    return posted
  }

  /** Changes the balance for a charge. Its entry is the row of its request. */
  charge(debitAccount: string, amountPico: bigint): void {
    this.#change(debitAccount, -amountPico, 0n)
  }

  /**
   * Shrinks (or grows) an existing lease, and the leased sum of the key that pays. The version of a lease is
   * that of its own key's ledger account.
   */
  changeLease(nodeId: string, keyId: string, byPico: bigint): void {
    this.#leases.push(nodeId, keyId, byPico)
    const { payerId } = this.#locked.keys.get(keyId)!
    this.#change(ledgerAccountId.key(payerId), 0n, byPico)
    if (payerId !== keyId) this.#change(ledgerAccountId.key(keyId), 0n, 0n)
  }

  /** Moves leased credit from one ledger account to another. */
  moveLeased(from: string, to: string, pico: bigint): void {
    this.#change(from, 0n, -pico)
    this.#change(to, 0n, pico)
  }

  /** Credit that is neither spent nor leased, including everything posted so far. */
  freePico(account: string): bigint {
    const locked = this.#locked.balances.get(account)
    if (locked === undefined) throw new Error(`${account} is not locked`)
    const change = this.#changes.get(account)
    return locked.balancePico - locked.leasedPico + (change?.balancePico ?? 0n) - (change?.leasedPico ?? 0n)
  }

  /**
   * Moves a revoked key's credit or debt to its heir, except what its leases hold. Repeated after later
   * charges and returned leases (docs/contract.md, 4.3).
   */
  settleRevoked(key: LockedKey, reference: 'first' | 'later'): void {
    const account = ledgerAccountId.key(key.keyId)
    const freePico = this.freePico(account)
    if (freePico === 0n) return
    const sweep = `sweep:${key.keyId}`
    this.transfer({
      kind: 'sweep',
      reference: reference === 'first' ? sweep : `${sweep}:${newIdentifier('led', this.#nowMs)}`,
      ...sidesOf(account, key.heir, freePico),
      accountId: key.accountId,
      createdAtMs: this.#nowMs,
    })
  }

  /** Does what `settleRevoked` does later, for payers of these keys that lost their own credit. */
  settleRetired(keyIds: readonly string[]): void {
    const payers = new Set(keyIds.map((keyId) => this.#locked.keys.get(keyId)?.payerId))
    for (const payerId of payers) {
      const payer = payerId === undefined ? undefined : this.#locked.keys.get(payerId)
      if (payer?.active === false) this.settleRevoked(payer, 'later')
    }
  }

  /** Whether a balance would exceed the 64 bits of its column. */
  overflows(): boolean {
    for (const [id, change] of this.#changes) {
      const balancePico = this.#locked.balances.get(id)!.balancePico + change.balancePico
      if (balancePico > maxPico || balancePico < -maxPico) return true
    }
    return false
  }

  /** Writes everything; the caller commits the transaction. */
  async post(transaction: Connection): Promise<void> {
    this.#orderIdentifiers()
    await bulkInsert(transaction, {
      table: 'ledger_transfers',
      columns: transferColumns,
      values: transferValues(this.#transfers),
      ignoreConflicts: false,
    })
    const values: BulkValue[] = []
    for (const [id, change] of [...this.#changes].sort(([left], [right]) => (left < right ? -1 : 1)))
      values.push(id, change.balancePico, change.leasedPico)
    await bulkUpdate(transaction, {
      table: 'ledger_accounts',
      columns: balanceColumns,
      set: `balance_pico = stored.balance_pico + :balance_pico,
            leased_pico = stored.leased_pico + :leased_pico, version = stored.version + 1`,
      where: 'stored.id = :id',
      values,
    })
    await bulkUpdate(transaction, {
      table: 'leases',
      columns: leaseColumns,
      set: 'amount_pico = stored.amount_pico + :amount_pico',
      where: 'stored.node_id = :node_id AND stored.key_id = :key_id',
      values: this.#leases,
    })
  }

  /** Identifiers of one millisecond have no order, so they are reassigned in the order of posting. */
  #orderIdentifiers(): void {
    const ids = this.#transfers.map((transfer) => transfer.id).sort()
    for (const [index, transfer] of this.#transfers.entries()) transfer.id = ids[index]!
  }

  #change(account: string, balancePico: bigint, leasedPico: bigint): void {
    if (!account.includes(':')) return
    if (!this.#locked.balances.has(account)) throw new Error(`${account} is not locked`)
    const change = this.#changes.get(account)
    if (change === undefined) this.#changes.set(account, { balancePico, leasedPico })
    else {
      change.balancePico += balancePico
      change.leasedPico += leasedPico
    }
  }
}

const balanceColumns: BulkColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'balance_pico', type: 'bigint' },
  { name: 'leased_pico', type: 'bigint' },
]

const leaseColumns: BulkColumn[] = [
  { name: 'node_id', type: 'text' },
  { name: 'key_id', type: 'text' },
  { name: 'amount_pico', type: 'bigint' },
]

const transferColumns: BulkColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'reference', type: 'text' },
  { name: 'debit_account', type: 'text' },
  { name: 'credit_account', type: 'text' },
  { name: 'amount_pico', type: 'bigint' },
  { name: 'account_id', type: 'text' },
  { name: 'request_id', type: 'text' },
  { name: 'reason', type: 'text' },
  { name: 'corrects_transfer_id', type: 'text' },
  { name: 'created_at_ms', type: 'bigint' },
]

function transferValues(transfers: readonly LedgerTransfer[]): BulkValue[] {
  const values: BulkValue[] = []
  for (const transfer of transfers)
    values.push(
      transfer.id,
      transfer.kind,
      transfer.reference,
      transfer.debitAccount,
      transfer.creditAccount,
      transfer.amountPico,
      transfer.accountId,
      transfer.requestId,
      transfer.reason,
      transfer.correctsTransferId,
      transfer.createdAtMs,
    )
  return values
}
