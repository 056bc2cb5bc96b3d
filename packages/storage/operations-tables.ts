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
  /** Its name there. */
  model: string
  /** As in a request's attempts. */
  result: string
  attempts: Integer
  duration_ms: Integer
  /** The newest request that had such an attempt, and when it began. */
  last_request_id: string
  last_at_ms: Integer
}

interface PriceListTable {
  number: Integer
  version: string
  /** JSON: by model, its prices by name. */
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
  /** JSON of what differed, so far as it is named. */
  differences: string
}
