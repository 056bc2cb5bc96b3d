/** Kinds of movements (docs/contract.md, 4.8). */
export const transferKinds = ['topup', 'grant', 'usage', 'transfer', 'sweep', 'refund', 'adjustment'] as const
export type TransferKind = (typeof transferKinds)[number]

/**
 * Ledger accounts. Credit that customers hold is a liability of ours: a key's and an account's unassigned
 * credit grow by credits and shrink by debits. The others are the operator's own.
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

/** The key whose credit a ledger account is; undefined for any other. */
export function keyOfLedgerAccount(id: string): string | undefined {
  const prefix = ledgerAccountId.key('')
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined
}

/**
 * One movement with its two equal sides: it takes `amountPico` from one ledger account (debit) and gives
 * it to another (credit). Never changed once posted; a correction is a new transfer that points to it.
 */
export interface LedgerTransfer {
  /** `led_…` */
  id: string
  kind: TransferKind
  /** Unique: posting the same movement twice is impossible. `usage:req_…`, `topup:top_…`, `sweep:key_…`. */
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
