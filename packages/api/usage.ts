import type { List } from './list.ts'

/** What `by` may name. */
export const usageDimensions = [
  'tag',
  'model',
  'key',
  'member',
  'project',
  'day',
  'hour',
  'provider',
  'tier',
  'endpoint',
  'operation',
] as const
/** Besides those: the values of tags such as `team:search`, which do not overlap. */
export const tagDimension = 'tag:<key>'
/** What the parameters `endpoint` and `operation` may name. */
export const endpoints = [
  'chat.completions',
  'messages',
  'responses',
  'generate_content',
  'completions',
  'embeddings',
  'rerank',
  'moderations',
] as const
export const operations = ['generate', 'embed', 'rerank', 'moderate'] as const
export const longestRangeDays = 365
/** Groups of one answer. */
export const mostGroups = 10_000
export const usualGroups = 1_000

/** What every sum of usage tells. */
export interface UsageTotals {
  total_requests: number
  total_tokens_in: number
  total_tokens_out: number
  total_cost_usd: string
}

/** `GET /api/v1/usage`. */
export interface UsageSummary extends UsageTotals {
  range_days: number
}

export const usageFields = [
  'range_days',
  'total_requests',
  'total_tokens_in',
  'total_tokens_out',
  'total_cost_usd',
] as const

/** A row of `GET /api/v1/usage/breakdown`; null stands for requests without the thing that is grouped by. */
export interface UsageGroup extends UsageTotals {
  group: string | null | (string | null)[]
}

export interface UsageBreakdown extends List<UsageGroup> {
  /** All groups behind the page together; null where there are none. */
  others: UsageTotals | null
  range_days: number
  by: string[]
}

export const groupFields = [
  'group',
  'total_requests',
  'total_tokens_in',
  'total_tokens_out',
  'total_cost_usd',
] as const
