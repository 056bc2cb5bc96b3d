import type { Integer, NullableInteger } from './column-types.ts'

/** The tables of `migrations/024-operations.ts` as Kysely sees them. */
export interface OperationsTables {
  attempt_totals: AttemptTotalTable
  price_lists: PriceListTable
  price_changes: PriceChangeTable
  ledger_verifications: LedgerVerificationTable
}

interface AttemptTotalTable {
  /** A day or hour in UTC: `d2026-03-15`, `h2026-03-15T07`. */
  period: string
  node_id: string
  provider: string
  /** The provider's name for the model. */
  model: string
  /** The same values as in the attempts of a request's row. */
  result: string
  attempts: Integer
  duration_ms: Integer
  /** The newest request that had such an attempt, and when it started. */
  last_request_id: string
  last_at_ms: Integer
}

interface PriceListTable {
  number: Integer
  version: string
  /** JSON: model → price name → price. */
  prices: string
  created_at_ms: Integer
}

interface PriceChangeTable {
  id: string
  model: string
  price: string
  before: string | null
  after: string | null
  source: string
  version: string
  node_id: string
  created_at_ms: Integer
}

interface LedgerVerificationTable {
  id: string
  node_id: string
  state: string
  started_at_ms: Integer
  updated_at_ms: Integer
  finished_at_ms: NullableInteger
  checked: Integer
  /** JSON of the differences found, up to the number that is listed. */
  differences: string
}
