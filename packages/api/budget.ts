/** What a budget can be on. */
export const budgetScopes = ['organization', 'project', 'member', 'key', 'tag', 'model'] as const

/** `GET /api/v1/budgets/{id}`. */
export interface Budget {
  id: string
  name: string
  scope: (typeof budgetScopes)[number]
  /** Null: the whole account. */
  subject: string | null
  /** `day`, `week`, `month` or `total`. */
  period: string
  limit_usd: string
  /** Whether requests beyond it are refused. */
  hard: boolean
  /** Per cent of the limit. */
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

/** `GET /api/v1/budgets/{id}/report`. */
export interface BudgetReport {
  budget: Budget
  from: number
  to: number
  /** Oldest first; days without a request are absent. */
  days: { day: string; cost_usd: string; requests: number }[]
  cost_usd: string
  ledger_usage_usd: string
  /** Null: the budget has no period. */
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
