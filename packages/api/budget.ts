/** A budget, as `GET /api/v1/budgets/{id}` has it. */
export interface Budget {
  id: string
  name: string
  scope: string
  /** Null: the whole account. */
  subject: string | null
  period: string
  limit_usd: string
  hard: boolean
  notify: number[]
  spent_usd: string
  reserved_usd: string
  left_usd: string
  /** Unix epoch seconds; null: never. */
  resets_at: number | null
  created_at: number
  updated_at: number
}

export const budgetFields = [
  'id',
  'name',
  'scope',
  'subject',
  'period',
  'limit_usd',
  'hard',
  'notify',
  'spent_usd',
  'reserved_usd',
  'left_usd',
  'resets_at',
  'created_at',
  'updated_at',
] as const

/** What a budget may be on. */
export const budgetScopes = ['organization', 'project', 'member', 'key', 'tag', 'model'] as const

/** `GET /api/v1/budgets/{id}/report`. */
export interface BudgetReport {
  budget: Budget
  /** Unix epoch seconds. */
  from: number
  to: number
  days: { day: string; cost_usd: string; requests: number }[]
  cost_usd: string
  ledger_usage_usd: string
  forecast_usd: string | null
}

export const budgetReportFields = [
  'budget',
  'from',
  'to',
  'days',
  'cost_usd',
  'ledger_usage_usd',
  'forecast_usd',
] as const
