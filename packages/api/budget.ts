import type { Schemas } from './schema.ts'

/** What a budget can apply to. */
export const budgetScopes = [
  'organization',
  'project',
  'member',
  'key',
  'tag',
  'model',
] as const satisfies readonly Budget['scope'][]

/** `GET /api/v1/budgets/{id}`. */
export type Budget = Schemas['Budget']

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
] as const satisfies readonly (keyof Budget)[]

/** `GET /api/v1/budgets/{id}/report`. */
export type BudgetReport = Schemas['BudgetReport']

export const budgetReportFields = [
  'budget',
  'from',
  'to',
  'days',
  'cost_usd',
  'ledger_usage_usd',
  'forecast_usd',
] as const satisfies readonly (keyof BudgetReport)[]
