import type { DefaultedInteger, Integer, NullableInteger } from '../column-types.ts'

/** The tables of `migrations/028-budgets.ts` as Kysely sees them. */
export interface BudgetTables {
  budgets: BudgetTable
  budget_totals: BudgetTotalTable
  budget_leases: BudgetLeaseTable
}

export interface BudgetTable {
  id: string
  account_id: string
  name: string
  scope: string
  /** '' for the scope `organization`. */
  subject: string
  period: string
  limit_pico: Integer
  /** 0 or 1. */
  is_hard: Integer
  /** JSON array of percentages. */
  notify: string
  created_at_ms: Integer
  updated_at_ms: Integer
  deleted_at_ms: NullableInteger
}

interface BudgetTotalTable {
  budget_id: string
  /** A day, and the budget's own period: `d2026-11-23`, `w2026-11-23`, `m2026-11`, `t`. */
  period: string
  requests: Integer
  /** As in `usage_totals`. */
  cost_high: Integer
  cost_low: Integer
}

interface BudgetLeaseTable {
  node_id: string
  budget_id: string
  period: string
  amount_pico: Integer
  /** Increases with every change to the row. */
  version: DefaultedInteger
}
