import { operationsOf } from '../operation.ts'
import { ids, listOf } from './examples.ts'

const exampleBudget = {
  id: ids.budget,
  object: 'budget',
  name: 'Search team',
  scope: 'tag',
  subject: 'team:search',
  period: 'month',
  limit_usd: '500',
  hard: true,
  notify: [50, 80, 100],
  spent_usd: '120.25',
  reserved_usd: '1.5',
  left_usd: '379.75',
  resets_at: 1743465600,
  created_at: 1741046412,
  updated_at: 1741046412,
}

export const budgetOperations = operationsOf('Budgets', {
  'POST /budgets': {
    id: 'createBudget',
    summary: 'Create a budget',
    description:
      'Limits spending per `period` (a UTC day, an ISO week from Monday, a calendar month, or `total`): ' +
      'by the whole account (`organization`, no `subject`), or by one project, member, key, tag ' +
      '(`team:search`) or model. A request counts once for each budget that applies to it, and all of ' +
      'them limit it. Requests over a `hard` budget get a 402 that names it. For other budgets, the ' +
      'owner is only notified. Earlier spending in the period counts. Requests in progress continue.',
    audited: true,
    errors: [409, 503],
    request: {
      name: 'Search team',
      scope: 'tag',
      subject: 'team:search',
      period: 'month',
      limit_usd: '500',
    },
    answer: { ...exampleBudget, reserved_usd: '0' },
  },
  'GET /budgets': {
    id: 'listBudgets',
    summary: 'List budgets',
    description: 'All budgets with their spending in the current period, oldest first.',
    polled: true,
    answer: listOf(exampleBudget),
  },
  'GET /budgets/:budget_id': {
    id: 'getBudget',
    summary: 'One budget',
    description: 'A budget with its spending in the current period.',
    polled: true,
    answer: exampleBudget,
  },
  'PATCH /budgets/:budget_id': {
    id: 'updateBudget',
    summary: 'Change a budget',
    description:
      'Changes the given fields: its name, limit, whether it is hard, and when its ' +
      'owner is notified. What it applies to and its period cannot change. Create another one ' +
      'instead. A limit ' +
      'below current spending refuses all requests until the period ends, on every node within a second.',
    audited: true,
    errors: [409],
    request: { limit_usd: '800' },
    answer: { ...exampleBudget, limit_usd: '800', left_usd: '679.75' },
  },
  'DELETE /budgets/:budget_id': {
    id: 'deleteBudget',
    summary: 'Delete a budget',
    description: 'It no longer limits anything, on every node within a second. Usage is kept.',
    audited: true,
    answer: { ...exampleBudget, reserved_usd: '0' },
  },
  'GET /budgets/:budget_id/report': {
    id: 'getBudgetReport',
    summary: 'Spending of a budget by day',
    description:
      'Full UTC days: of the current period (for `total`: the last 30), or from `from` to `to`, at most ' +
      '366. `ledger_usage_usd` is the same sum from the usage totals, which the ledger’s verification ' +
      'proves.',
    polled: true,
    answer: {
      object: 'budget_report',
      budget: exampleBudget,
      from: 1740787200,
      to: 1741132800,
      days: [
        { day: '2025-03-03', cost_usd: '70.25', requests: 5_120 },
        { day: '2025-03-04', cost_usd: '50', requests: 4_404 },
      ],
      cost_usd: '120.25',
      ledger_usage_usd: '120.25',
      forecast_usd: '498.5',
    },
  },
})
