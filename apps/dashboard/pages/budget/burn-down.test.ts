import { describe, expect, test } from 'vitest'
import { burnDownOf, exhaustionTime } from './burn-down.ts'

const usd = 1_000_000_000_000n

function report(changes: {
  days: [string, string][]
  forecast: string | null
  limit?: string
  spent?: string
}) {
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
      spent_usd: changes.spent ?? '0',
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

describe('burnDownOf', () => {
  test('subtracts the cost of each day, and continues with the forecast up to the end of the period', () => {
    const found = burnDownOf(
      report({
        days: [
          ['2026-11-23', '1'],
          ['2026-11-25', '3'],
        ],
        forecast: '8.5',
      }),
      nowMs,
    )
    expect(found.days).toHaveLength(7)
    expect([found.days[0], found.days.at(-1)]).toEqual(['2026-11-23', '2026-11-29'])
    expect(found.left).toEqual([9n * usd, 9n * usd, 6n * usd, null, null, null, null])
    // At noon 4.5 days are left, and 4.50 USD are forecast for them.
    expect(found.expected).toEqual([
      null,
      null,
      6n * usd,
      (9n * usd) / 2n,
      (7n * usd) / 2n,
      (5n * usd) / 2n,
      (3n * usd) / 2n,
    ])
  })

  test('is zero once the budget is exceeded, or will be', () => {
    const found = burnDownOf(report({ days: [['2026-11-23', '8']], forecast: '16' }), nowMs)
    expect(found.left.slice(0, 3)).toEqual([2n * usd, 2n * usd, 2n * usd])
    expect(found.expected).toEqual([null, null, 2n * usd, 0n, 0n, 0n, 0n])
    const beyond = burnDownOf(report({ days: [['2026-11-23', '12']], forecast: null }), nowMs)
    expect(beyond.left[0]).toBe(0n)
    expect(beyond.expected.every((value) => value === null)).toBe(true)
  })

  test('works on the first and the last day of the period, and after its end', () => {
    const first = burnDownOf(report({ days: [], forecast: '0' }), Date.UTC(2026, 10, 23))
    expect(first.left).toEqual([10n * usd, null, null, null, null, null, null])
    expect(first.expected).toEqual(Array(7).fill(10n * usd))
    const days: [string, string][] = [['2026-11-29', '4']]
    const last = burnDownOf(report({ days, forecast: '7' }), Date.UTC(2026, 10, 29, 12))
    expect(last.left.at(-1)).toBe(6n * usd)
    expect(last.expected).toEqual([null, null, null, null, null, null, 3n * usd])
    // A page that was loaded before midnight.
    const over = burnDownOf(report({ days, forecast: '7' }), Date.UTC(2026, 10, 30, 0, 0, 5))
    expect(over.left.at(-1)).toBe(6n * usd)
    expect(over.expected.at(-1)).toBe(3n * usd)
  })

  test('exhaustionTime returns when the budget will be used up', () => {
    // At half of the forecast for 4.5 days.
    const at = exhaustionTime(report({ days: [], spent: '4', forecast: '16' }), nowMs)
    expect(at).toBe(nowMs / 1000 + (4.5 * 86_400) / 2)
    expect(exhaustionTime(report({ days: [], spent: '4', forecast: '10' }), nowMs)).toBeUndefined()
    expect(exhaustionTime(report({ days: [], spent: '10', forecast: '16' }), nowMs)).toBeUndefined()
    expect(exhaustionTime(report({ days: [], spent: '4', forecast: null }), nowMs)).toBeUndefined()
  })
})
