/** A row of `GET /api/v1/ledger`. */
export interface LedgerEntry {
  id: string
  object: 'ledger_entry'
  kind: string
  /** What moved; always above zero. */
  amount_usd: string
  /** What it changed of the account's credit. */
  change_usd: string
  debit_account: string
  credit_account: string
  reference: string
  request_id: string | null
  /** Absent from an older gateway. */
  topup_id?: string | null
  reason: string | null
  corrects: string | null
  created_at: number
}

/** What moves credit. */
export const ledgerKinds = ['topup', 'grant', 'usage', 'transfer', 'sweep', 'refund', 'adjustment'] as const

export const ledgerFields = [
  'id',
  'kind',
  'amount_usd',
  'change_usd',
  'debit_account',
  'credit_account',
  'reference',
  'request_id',
  'topup_id',
  'reason',
  'corrects',
  'created_at',
] as const
