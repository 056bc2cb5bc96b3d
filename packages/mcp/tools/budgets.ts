import { budgetScopes, spendPeriods, type Budget, type List } from '@turnpike/api'
import * as z from 'zod'
import { changing, making, reading, tool } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'

const budget = {
  id: z.string(),
  name: z.string(),
  scope: z.enum(budgetScopes),
  subject: z.string().nullable().describe('Id, tag or model; null: the whole account'),
  period: z.string().describe('`day`, `week`, `month` (UTC) or `total`'),
  limit_usd: z.string(),
  hard: z.boolean().describe('Whether requests over the limit are refused; false: it only notifies'),
  spent_usd: z.string().describe('In the current period'),
  reserved_usd: z.string().describe('Held for requests in progress'),
  left_usd: z.string(),
  resets_at: z.number().nullable().describe('Unix epoch seconds; null: never'),
}

export const listBudgets = tool({
  name: 'list_budgets',
  title: 'List budgets',
  description:
    'Budgets: what may be spent per day, week, month or in total, by the account, a project, member, ' +
    'key, tag or model, with what is spent, what is left, and when it resets.',
  input: {
    limit: z.number().int().min(1).max(200).default(50),
    cursor: z.string().optional().describe('`next_cursor` of the previous page'),
  },
  output: { budgets: z.array(z.looseObject(budget)), next_cursor: z.string().nullable() },
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

const budgetId = z
  .string()
  .regex(/^bud_[0-9A-Za-z]{1,40}$/)
  .describe('As returned by `list_budgets`')
const name = z.string().min(1).describe('A name for it')
const limit = z.string().describe('Limit per period, in USD: `12.50`')
const hard = z.boolean().describe('Whether requests over the limit are refused; false: it only notifies')
const notify = z
  .array(z.number().int())
  .describe('Percentages of the limit at which the user is notified, such as [50, 80, 100]')
/** What an agent must not do after a budget has refused it. */
const askFirst = 'Budgets protect the user’s money, also from you: only do this when the user asked for it.'

export const createBudget = tool({
  name: 'create_budget',
  title: 'Create a budget',
  description:
    'Limits what may be spent per day, week, month or in total, by the whole account or by one ' +
    `project, member, key, tag or model. Requests over a hard budget are refused. ${askFirst}`,
  input: {
    name,
    scope: z.enum(budgetScopes).describe('What it applies to; `organization`: the whole account'),
    subject: z
      .string()
      .optional()
      .describe('An id (`prj_…`, `mem_…`, `key_…`), a tag or a model; default: the whole account'),
    period: z.enum(spendPeriods).describe('Period, in UTC'),
    limit_usd: limit,
    hard: hard.default(true),
    notify: notify.optional(),
  },
  output: budget,
  annotations: making,
  scopes: ['budgets:write'],
  async run(api, body) {
    const made = await api.ask<Budget>({ method: 'POST', path: '/api/v1/budgets', body })
    return { value: { ...made } }
  },
})

export const updateBudget = tool({
  name: 'update_budget',
  title: 'Change a budget',
  description:
    'Changes the given fields of a budget. What it applies to and its period cannot change. It takes ' +
    `effect at once. ${askFirst}`,
  input: {
    budget_id: budgetId,
    name: name.optional(),
    limit_usd: limit.optional(),
    hard: hard.optional(),
    notify: notify.optional(),
  },
  output: budget,
  annotations: changing,
  scopes: ['budgets:write'],
  async run(api, { budget_id: id, ...body }) {
    if (Object.values(body).every((value) => value === undefined))
      throw new ToolRefusal('Expected at least one of `name`, `limit_usd`, `hard` and `notify`.', null)
    const changed = await api.ask<Budget>({ method: 'PATCH', path: pathOf(id), body })
    return { value: { ...changed } }
  },
})

export const deleteBudget = tool({
  name: 'delete_budget',
  title: 'Delete a budget',
  description: `Deletes a budget, so that it no longer limits anything. Usage is kept. ${askFirst}`,
  input: { budget_id: budgetId },
  output: budget,
  annotations: changing,
  scopes: ['budgets:write'],
  async run(api, { budget_id: id }) {
    const ended = await api.ask<Budget>({ method: 'DELETE', path: pathOf(id) })
    return { value: { ...ended } }
  },
})

function pathOf(id: string): string {
  return `/api/v1/budgets/${encodeURIComponent(id)}`
}
