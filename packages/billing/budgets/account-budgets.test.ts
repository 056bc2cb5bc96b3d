import { describe, expect, it } from 'vitest'
import { AccountBudgets } from './account-budgets.ts'
import type { BudgetRule } from './hard-budget.ts'

const dayMs = 86_400_000

function rule(id: string, changes: Partial<BudgetRule>): BudgetRule {
  return { id: `bud_${id}`, name: id, scope: 'tag', subject: id, period: 'day', limitPico: 1n, ...changes }
}

const key = { id: 'key', memberId: 'mem', projectId: null }
const account = new AccountBudgets([
  rule('all', { scope: 'organization', subject: '', period: 'month' }),
  rule('mine', { scope: 'member', subject: 'mem' }),
  rule('search', {}),
  rule('search-month', { subject: 'search', period: 'month' }),
  rule('ci', {}),
  rule('mini', { scope: 'model', subject: 'openai/mini' }),
])

const namesOf = (tags: string[], models: string[] = []) =>
  account.ofRequest(account.ofKey(key), tags, models).budgets.map(({ rule: { name } }) => name)

describe('the budgets of a request', () => {
  it('are those of its key, its tags and the models that may answer', () => {
    expect(namesOf([])).toEqual(['all', 'mine'])
    expect(namesOf(['x', 'search'], ['openai/gpt'])).toEqual(['all', 'mine', 'search', 'search-month'])
    expect(namesOf(['ci', 'search'])).toEqual(['all', 'mine', 'ci', 'search', 'search-month'])
    expect(namesOf(['ci'], ['openai/mini', 'openai/mini'])).toEqual(['all', 'mine', 'ci', 'mini'])
    expect(account.ofKey({ id: 'other', memberId: null, projectId: 'p' }).budgets).toHaveLength(1)
  })

  it('are one object for all requests that are covered by the same ones', () => {
    const set = (tags: string[]) => account.ofRequest(account.ofKey({ ...key }), tags, [])
    expect(set(['search', 'ci'])).toBe(set(['search', 'other', 'ci']))
    expect(set([])).toBe(account.ofKey(key))
    expect(set(['ci'])).not.toBe(set(['search']))
  })

  it('are correct beyond the number of cached sets', () => {
    const tags = Array.from({ length: 12 }, (_, number) => `tag-${number}`)
    const many = new AccountBudgets(tags.map((tag) => rule(tag, {})))
    for (let bits = 0; bits < 4_096; bits++) {
      const chosen = tags.filter((_, at) => (bits & (1 << at)) !== 0)
      const set = many.ofRequest(many.ofKey(key), chosen, [])
      expect(set.budgets.map(({ rule: { subject } }) => subject)).toEqual(chosen)
    }
  })

  it('use the periods in which it began, whichever request came before', () => {
    const set = account.ofRequest(account.ofKey(key), ['ci'], [])
    const lastMs = Date.UTC(2026, 10, 1) - 1
    for (let times = 0; times < 2; times++) {
      expect(set.leasesAt(lastMs).text).toBe('bud_all@m2026-10 bud_mine@d2026-10-31 bud_ci@d2026-10-31')
      expect(set.leasesAt(lastMs + 1).text).toBe('bud_all@m2026-11 bud_mine@d2026-11-01 bud_ci@d2026-11-01')
      expect(set.leasesAt(lastMs + dayMs).ids[1]).toBe('bud_mine@d2026-11-01')
      expect(set.leasesAt(lastMs + dayMs + 1).ids[1]).toBe('bud_mine@d2026-11-02')
    }
    expect(set.leasesAt(lastMs)).toBe(set.leasesAt(lastMs - 1))
  })
})
