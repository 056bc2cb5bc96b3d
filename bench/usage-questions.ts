import type { HealthDimension, HealthFilter, UsageFilter } from '@turnpike/gateway'
import type { Storage } from '@turnpike/storage'

type Stores = Pick<Storage, 'usage' | 'usageHealth'>

export interface UsageQuestion {
  ask: (stores: Stores, filter: UsageFilter & HealthFilter) => Promise<unknown>
  /** Absent: it is measured without a budget. */
  budgetMs?: number
}

const dayMs = 86_400_000
const pageBudgetMs = 100
const mostRows = 1_000

/** Queries about a year's usage. */
export const usageQuestions: Record<string, UsageQuestion> = {
  summary: { ask: ({ usage }, filter) => usage.summary(filter), budgetMs: pageBudgetMs },
  'summary of one tag': { ask: ({ usage }, filter) => usage.summary({ ...filter, tags: ['feature:3'] }) },
  'summary of two tags': {
    ask: ({ usage }, filter) => usage.summary({ ...filter, tags: ['feature:3', 'env:live'] }),
  },
  'by tag': { ask: ({ usage }, filter) => usage.breakdown(filter, ['tag']) },
  'by model': { ask: ({ usage }, filter) => usage.breakdown(filter, ['model']) },
  'by day': { ask: ({ usage }, filter) => usage.breakdown(filter, ['day']) },
  'by tag and model': { ask: ({ usage }, filter) => usage.breakdown(filter, ['tag', 'model']) },
  'by model and day': { ask: ({ usage }, filter) => usage.breakdown(filter, ['model', 'day']) },
  'by endpoint': { ask: ({ usage }, filter) => usage.breakdown(filter, ['endpoint']) },
  'by tag and day': { ask: ({ usage }, filter) => usage.breakdown(filter, ['tag', 'day']) },
  "health's page": { ask: healthPage('model'), budgetMs: pageBudgetMs },
  "health's page of one model": {
    ask: healthPage('key', { model: 'openai/gpt-5' }),
    budgetMs: pageBudgetMs,
  },
  "health's page of one provider": {
    ask: healthPage('model', { provider: 'openai' }),
    budgetMs: pageBudgetMs,
  },
  "health's page by key": { ask: healthPage('key'), budgetMs: pageBudgetMs },
  "health's page by tag": { ask: healthPage('tag'), budgetMs: pageBudgetMs },
  "health's page of one tag": {
    ask: healthPage('model', { tag: 'feature:3' }),
    budgetMs: pageBudgetMs,
  },
  'health by hour, 30 days': {
    ask: ({ usageHealth }, filter) =>
      usageHealth.groups({ ...filter, fromMs: filter.toMs - 30 * dayMs }, 'hour', mostRows),
  },
}

/** The queries that the dashboard's page sends at once: a table and days, each with sums of both years. */
function healthPage(by: HealthDimension, condition: Partial<HealthFilter> = {}): UsageQuestion['ask'] {
  return ({ usageHealth }, given) => {
    const { accountId, fromMs, toMs } = given
    const filter: HealthFilter = { ...(accountId && { accountId }), fromMs, toMs, ...condition }
    const before = { ...filter, fromMs: fromMs - (toMs - fromMs), toMs: fromMs }
    const sums = () => [usageHealth.summary(filter), usageHealth.summary(before)]
    return Promise.all([
      ...sums(),
      usageHealth.groups(filter, by, mostRows),
      usageHealth.groups(before, by, mostRows),
      ...sums(),
      usageHealth.groups(filter, 'day', mostRows),
    ])
  }
}
