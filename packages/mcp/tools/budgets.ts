import { budgetScopes, type Budget, type List } from '@turnpike/api'
import * as z from 'zod'
import { reading, tool } from '../tool.ts'

const budget = z.looseObject({
  id: z.string(),
  name: z.string(),
  scope: z.enum(budgetScopes),
  subject: z.string().nullable().describe('Which one; null: the whole account'),
  period: z.string().describe('`day`, `week`, `month` (UTC) or `total`'),
  limit_usd: z.string(),
  hard: z.boolean().describe('Whether requests beyond it are refused; false: it only tells'),
  spent_usd: z.string().describe('In the period under way'),
  reserved_usd: z.string().describe('Held for requests under way'),
  left_usd: z.string(),
  resets_at: z.number().nullable().describe('Unix epoch seconds; null: never'),
})

export const listBudgets = tool({
  name: 'list_budgets',
  title: 'List budgets',
  description:
    'What may be spent in a day, a week, a month or in total, by the account, a project, member, key, tag ' +
    'or model; what is spent of it, what is left, and when it begins anew. Only the user changes budgets.',
  input: {
    limit: z.number().int().min(1).max(200).default(50),
    cursor: z.string().optional().describe('`next_cursor` of an earlier page'),
  },
  output: { budgets: z.array(budget), next_cursor: z.string().nullable() },
  annotations: reading,
  scopes: ['usage:read'],
  async run(api, { limit, cursor }) {
    const page = await api.ask<List<Budget>>({
      path: '/api/v1/budgets',
      query: { limit: String(limit), cursor },
    })
    return { value: { budgets: page.data, next_cursor: page.next_cursor } }
  },
})
