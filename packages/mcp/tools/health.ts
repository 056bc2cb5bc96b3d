import { healthDimensions, longestRangeDays, mostHealthGroups, type Health } from '@turnpike/api'
import * as z from 'zod'
import { reading, tool } from '../tool.ts'

/** The model reads every row: a quarter by day, or the groups with the most requests. */
const defaultRows = 100

const times = z.object({ p50: z.number().nullable(), p95: z.number().nullable() })

const figures = z.object({
  requests: z.number(),
  completed: z.number(),
  error_rate: z.number().nullable().describe('From 0 to 1, not counting callers who disconnected'),
  errors: z.array(z.object({ type: z.string(), requests: z.number() })),
  time_to_first_token_ms: times.describe('Of streamed answers; accurate to within 9 %'),
  latency_ms: times.describe('Of complete answers; same accuracy'),
  tokens_per_second: z.number().nullable(),
  tokens_in: z.number(),
  cache_read_tokens: z.number(),
  cache_write_tokens: z.number(),
  cache_saved_usd: z.string(),
})

export const health = tool({
  name: 'health',
  title: 'Health',
  description:
    'How requests went: error rate and causes, p50 and p95 to the first token and to the end, tokens per ' +
    'second, cached input and what it saved, compared with the same number of days before and, with `by`, ' +
    'broken down by row.',
  input: {
    days: z.number().int().min(1).max(longestRangeDays).default(7).describe('Days in UTC, including today'),
    by: z
      .union([z.enum(healthDimensions), z.string().regex(/^tag:./)])
      .optional()
      .describe('Break down by; `tag:team`: by the values of tags `team:…`. Hours are kept for 90 days'),
    tag: z.string().optional().describe('Only requests with this tag; not with `key_id`'),
    key_id: z.string().optional().describe("Only one key's requests"),
    model: z.string().optional().describe("Only one model's requests"),
    provider: z.string().optional().describe("Only one provider's requests"),
    limit: z
      .number()
      .int()
      .min(1)
      .max(mostHealthGroups)
      .default(defaultRows)
      .describe('Maximum number of rows'),
  },
  output: {
    range_days: z.number(),
    counted_since: z.number().describe('Unix epoch seconds: nothing before this is counted'),
    total: figures,
    previous: figures.describe('For the same number of days before'),
    rows: z
      .array(figures.extend({ group: z.string().nullable(), previous: figures.nullable() }))
      .optional()
      .describe('Most requests first; days and hours in chronological order'),
    has_more: z.boolean().optional(),
  },
  annotations: reading,
  scopes: ['usage:read'],
  async run(api, { days, limit, by, ...filter }) {
    const query = { days: String(days), ...filter, ...(by && { by, limit: String(limit) }) }
    const found = await api.ask<Health>({ path: '/api/v1/usage/health', query })
    const { range_days, counted_since, total, previous, data, has_more } = found
    const value = { range_days, counted_since, total, previous }
    return { value: by === undefined ? value : { ...value, rows: data, has_more } }
  },
})
