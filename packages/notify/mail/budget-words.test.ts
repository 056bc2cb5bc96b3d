import { describe, expect, it } from 'vitest'
import { budgetWords } from './budget-words.ts'

const data = {
  name: 'Search team',
  scope: 'tag',
  subject: 'team:search',
  period: 'month',
  hard: true,
  percent: 80,
  spent_usd: '0.83',
  limit_usd: '1',
  refused_usd: null,
  resets_at: Date.UTC(2026, 11, 1) / 1000,
}

describe('the email about a budget', () => {
  it('says how much is spent and when the budget resets', () => {
    expect(budgetWords(data)).toEqual({
      subject: 'The budget "Search team" has reached 80 %',
      paragraphs: [
        '0.83 USD of the budget "Search team" (tag team:search, 1 USD a month) is spent. Requests over ' +
          'the limit are refused. It resets at 2026-12-01 00:00 UTC.',
      ],
    })
  })

  it('says that the budget refuses requests', () => {
    expect(budgetWords({ ...data, percent: 100, refused_usd: '0.41' })).toEqual({
      subject: 'The budget "Search team" is refusing requests',
      paragraphs: [
        expect.stringContaining('was not enough for a request that could cost up to 0.41 USD. Requests'),
      ],
    })
  })

  it('says of a soft budget without a period that it only notifies', () => {
    const soft = {
      ...data,
      scope: 'organization',
      subject: null,
      period: 'total',
      hard: false,
      resets_at: null,
    }
    expect(budgetWords(soft).paragraphs[0]).toMatch(
      /\(the whole account, 1 USD in total\).* This budget only notifies: .* It does not reset\.$/,
    )
  })
})
