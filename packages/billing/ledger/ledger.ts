/** Kinds of movements (docs/contract.md, 4.8). */
export const transferKinds = ['topup', 'grant', 'usage', 'transfer', 'sweep', 'refund', 'adjustment'] as const
export type TransferKind = (typeof transferKinds)[number]

/**
 * Kinds of ledger accounts. Customers' credit is a liability: a key's credit and an account's unassigned
 * credit grow by credits and shrink by debits. The others belong to the operator.
 */
export const ledgerAccountKinds = [
  'key_credit',
  'unassigned_credit',
  'payments',
  'grants',
  'refunds',
  'adjustments',
  'revenue',
] as const
export type LedgerAccountKind = (typeof ledgerAccountKinds)[number]

/**
 * The identifier of a ledger account: `key:key_…`, `unassigned:acct_…`, or the operator's own by its kind.
 */
export const ledgerAccountId = {
  key: (keyId: string): string => `key:${keyId}`,
  unassigned: (accountId: string): string => `unassigned:${accountId}`,
  operator: (kind: Exclude<LedgerAccountKind, 'key_credit' | 'unassigned_credit'>): string => kind,
}

/** The key of a ledger account; undefined if it is not a key's. */
export function keyOfLedgerAccount(id: string): string | undefined {
  const prefix = ledgerAccountId.key('')
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined
}

/**
 * One movement with two equal sides: it takes `amountPico` from one ledger account (debit) and gives it to
 * another (credit). Never changed once posted; a correction is a new transfer that refers to it.
 */
export interface LedgerTransfer {
  /** `led_…` */
  id: string
  kind: TransferKind
  /** Unique, so that no movement can be posted twice. `usage:req_…`, `topup:top_…`, `sweep:key_…`. */
  reference: string
  debitAccount: string
  creditAccount: string
  /** Always above zero. */
  amountPico: bigint
  /** The customer whose credit moved. */
  accountId: string
  requestId: string | null
  reason: string | null
  /** The transfer that this one corrects. */
  correctsTransferId: string | null
  createdAtMs: number
}
