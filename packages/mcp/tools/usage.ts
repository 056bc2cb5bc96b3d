import {
  endpoints,
  longestRangeDays,
  mostGroups,
  operations,
  usageDimensions,
  type UsageBreakdown,
  type UsageSummary,
} from '@turnpike/api'
import * as z from 'zod'
import { reading, tool } from '../tool.ts'

/** The model reads every row: the most expensive groups, or a year by day. */
const defaultRows = 400

const totals = {
  total_requests: z.number(),
  total_tokens_in: z.number(),
  total_tokens_out: z.number(),
  total_cost_usd: z.string(),
}

export const usage = tool({
  name: 'usage',
  title: 'Usage',
  description:
    'Usage and cost: the total of a range of days and, with `by`, rows by tag, model, key, ' +
    'member, project, day, hour, provider, tier, endpoint or operation. Failed requests cost nothing and ' +
    'are not counted. A request counts for each of its tags.',
  input: {
    days: z.number().int().min(1).max(longestRangeDays).default(30).describe('Days in UTC, including today'),
    by: z
      .array(z.union([z.enum(usageDimensions), z.string().regex(/^tag:./)]))
      .max(2)
      .optional()
      .describe('Break down by this; two give a cross table. `tag:team`: by the values of tags `team:…`'),
    tag: z.array(z.string()).optional().describe('Only requests with all of these tags'),
    key_id: z.string().optional().describe("Only one key's requests"),
    model: z.string().optional().describe("Only one model's requests"),
    endpoint: z.enum(endpoints).optional().describe('Only requests to this API'),
    operation: z.enum(operations).optional().describe('Only requests of this operation'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(mostGroups)
      .default(defaultRows)
      .describe('Maximum number of rows; `others` sums up the rest'),
  },
  output: {
    range_days: z.number(),
    ...totals,
    rows: z
      .array(
        z.looseObject({ group: z.union([z.string().nullable(), z.array(z.string().nullable())]), ...totals }),
      )
      .optional()
      .describe(
        'Most expensive first; days in chronological order. The group is null for requests without one',
      ),
    has_more: z.boolean().optional(),
    others: z
      .object(totals)
      .nullable()
      .optional()
      .describe('Total of all remaining groups; null if there are none'),
  },
  annotations: reading,
  scopes: ['usage:read'],
  async run(api, { days, by = [], tag, key_id, model, endpoint, operation, limit }) {
    const query = { days: String(days), tag, key_id, model, endpoint, operation }
    const [summary, breakdown] = await Promise.all([
      api.ask<UsageSummary>({ path: '/api/v1/usage', query }),
      by.length === 0
        ? undefined
        : api.ask<UsageBreakdown>({
            path: '/api/v1/usage/breakdown',
            query: { ...query, by, limit: String(limit) },
          }),
    ])
    const rows = breakdown && {
      rows: breakdown.data,
      has_more: breakdown.has_more,
      others: breakdown.others,
    }
    return { value: { ...summary, ...rows } }
  },
})
