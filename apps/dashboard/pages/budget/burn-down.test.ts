import { describe, expect, test } from 'vitest'
import { burnDownOf } from './burn-down.ts'

const usd = 1_000_000_000_000n

function report(changes: { days: [string, string][]; forecast: string | null; limit?: string }) {
  return {
    object: 'budget_report' as const,
    budget: {
      id: 'bud_1',
      object: 'budget' as const,
      name: 'Search',
      scope: 'organization' as const,
      subject: null,
      period: 'week' as const,
      limit_usd: changes.limit ?? '10',
      hard: true,
      notify: [],
      spent_usd: '0',
      reserved_usd: '0',
      left_usd: '0',
      resets_at: Date.UTC(2026, 10, 30) / 1000,
      created_at: 0,
      updated_at: 0,
    },
    from: Date.UTC(2026, 10, 23) / 1000,
    to: Date.UTC(2026, 10, 26) / 1000,
    days: changes.days.map(([day, cost]) => ({ day, cost_usd: cost, requests: 1 })),
    cost_usd: '0',
    ledger_usage_usd: '0',
    forecast_usd: changes.forecast,
  }
}

const nowMs = Date.UTC(2026, 10, 25, 12)

describe('what is left of a budget', () => {
  test('falls by what each day cost, and goes on to what is expected at the end', () => {
    const found = burnDownOf(
      report({
        days: [
          ['2026-11-23', '1'],
          ['2026-11-25', '3'],
        ],
        forecast: '8',
      }),
      nowMs,
    )
    expect(found.days).toHaveLength(7)
    expect([found.days[0], found.days.at(-1)]).toEqual(['2026-11-23', '2026-11-29'])
    expect(found.left).toEqual([9n * usd, 9n * usd, 6n * usd, null, null, null, null])
    expect(found.expected).toEqual([null, null, 6n * usd, 5n * usd, 4n * usd, 3n * usd, 2n * usd])
  })

  test('is nothing where the budget is exceeded, or will be', () => {
    const found = burnDownOf(report({ days: [['2026-11-23', '8']], forecast: '16' }), nowMs)
    expect(found.left.slice(0, 3)).toEqual([2n * usd, 2n * usd, 2n * usd])
    expect(found.expected).toEqual([null, null, 2n * usd, 0n, 0n, 0n, 0n])
    const beyond = burnDownOf(report({ days: [['2026-11-23', '12']], forecast: null }), nowMs)
    expect(beyond.left[0]).toBe(0n)
    expect(beyond.expected.every((value) => value === null)).toBe(true)
  })
})
