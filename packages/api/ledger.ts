import type { OrOlder } from './older.ts'
import type { Schemas } from './schema.ts'

/** A row of `GET /api/v1/ledger`. */
export type LedgerEntry = OrOlder<Schemas['LedgerEntry'], 'topup_id'>

/** The kinds of transfers. */
export const ledgerKinds = [
  'topup',
  'grant',
  'usage',
  'transfer',
  'sweep',
  'refund',
  'adjustment',
] as const satisfies readonly LedgerEntry['kind'][]

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
] as const satisfies readonly (keyof LedgerEntry)[]
