import { expect, test } from 'vitest'
import { pairOf } from '../../../api/usage-queries.ts'
import { sumEarningsBy, marginOf, marginStack, sumOf, type RevenueGroup } from './margin.ts'

function group(
  day: string,
  model: string,
  charged: string,
  cost: string | null,
  uncosted = '0',
): RevenueGroup {
  return {
    group: [day, model],
    total_requests: 1,
    total_tokens_in: 0,
    total_tokens_out: 0,
    total_cost_usd: charged,
    total_vendor_cost_usd: cost,
    total_margin_usd: null,
    total_uncosted_usd: uncosted,
  }
}

const groups = [
  group('2026-11-20', 'a', '12', '10'),
  group('2026-11-20', 'b', '3', '5'),
  group('2026-11-21', 'a', '1.2', '1'),
  group('2026-11-21', 'b', '4', null, '4'),
]
const byDay = sumEarningsBy(groups, (one) => pairOf(one)[0] ?? '')
const byModel = sumEarningsBy(groups, (one) => pairOf(one)[1] ?? '')
const pico = 10n ** 12n

test('sumEarningsBy has the same total by day and by model', () => {
  expect(sumOf(byDay.values())).toEqual(sumOf(byModel.values()))
  expect(sumOf(byDay.values())).toEqual({
    requests: 4,
    revenue: (202n * pico) / 10n,
    costed: (162n * pico) / 10n,
    vendorCost: 16n * pico,
  })
})

test('marginOf only counts revenue whose vendor cost is known, and is undefined if none is', () => {
  const { a, b } = Object.fromEntries(byModel)
  expect(marginOf(a!)).toEqual({ amount: (22n * pico) / 10n, percent: 16.7 })
  expect(marginOf(b!)).toEqual({ amount: -2n * pico, percent: -66.7 })
  expect(marginOf(sumOf(byDay.values()))).toEqual({ amount: (2n * pico) / 10n, percent: 1.2 })
  const unknown = { requests: 1, revenue: 4n, costed: 0n, vendorCost: 0n }
  expect(marginOf(unknown)).toBeUndefined()
  expect(marginOf({ ...unknown, revenue: 0n })).toEqual({ amount: 0n, percent: undefined })
})

test("marginStack divides a day's revenue into vendor cost, margin and revenue of unknown cost", () => {
  const { series, rows } = marginStack(byDay, ['2026-11-19', '2026-11-20', '2026-11-21'])
  expect(rows.map(({ values }) => values.map((value) => Number(value / 10n ** 11n)))).toEqual([
    [0, 0, 0, 0],
    [150, 0, 0, 0],
    [10, 2, 0, 40],
  ])
  expect(series.map(({ name }) => name)).toEqual(['Vendor cost', 'Margin', 'Revenue of unknown cost'])
})

test('marginStack shows the cost above the revenue as a part of its own', () => {
  const { series, rows } = marginStack(
    sumEarningsBy([group('2026-11-21', 'b', '3', '5')], () => '2026-11-21'),
    ['2026-11-21'],
  )
  expect(rows[0]?.values).toEqual([3n * pico, 0n, 2n * pico, 0n])
  expect(series.map(({ name, total }) => [name, total])).toEqual([
    ['Vendor cost', 5n * pico],
    ['Margin', -2n * pico],
    ['Cost above revenue', 2n * pico],
  ])
})
