import type { paths, Schemas } from './schema.ts'

/** The values of `by`. */
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
/** In addition: the values of tags such as `team:search`, which do not overlap. */
export const tagDimension = 'tag:<key>'
/** The values of the parameters `endpoint` and `operation`. */
export const endpoints = [
  'chat.completions',
  'messages',
  'responses',
  'generate_content',
  'completions',
  'embeddings',
  'rerank',
  'moderations',
] as const satisfies readonly Schemas['Request']['endpoint'][]
export const operations = [
  'generate',
  'embed',
  'rerank',
  'moderate',
] as const satisfies readonly Schemas['Request']['operation'][]
export const longestRangeDays = 365
/** The most groups in one response. */
export const mostGroups = 10_000
export const usualGroups = 1_000

/** The figures of every total. */
export type UsageTotals = Omit<UsageSummary, 'range_days'>

/** `GET /api/v1/usage`. */
export type UsageSummary = paths['/api/v1/usage']['get']['responses'][200]['content']['application/json']

export const usageFields = [
  'range_days',
  'total_requests',
  'total_tokens_in',
  'total_tokens_out',
  'total_cost_usd',
] as const satisfies readonly (keyof UsageSummary)[]

/** A row of `GET /api/v1/usage/breakdown`; null for requests without a value in a dimension. */
export type UsageGroup = UsageBreakdown['data'][number]

export type UsageBreakdown =
  paths['/api/v1/usage/breakdown']['get']['responses'][200]['content']['application/json']

export const groupFields = [
  'group',
  'total_requests',
  'total_tokens_in',
  'total_tokens_out',
  'total_cost_usd',
] as const satisfies readonly (keyof UsageGroup)[]
