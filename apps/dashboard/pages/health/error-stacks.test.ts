import { expect, test } from 'vitest'
import { daysOf, placesOf } from '../../charts/places.ts'
import { daysBetween } from '../../format/time.ts'
import { countStack, shareStack } from './error-stacks.ts'

const left = { type: 'client_closed_request', requests: 5 }

test("shareStack shows errors as shares of their day's requests, without clients that left", () => {
  const rows = [
    { group: '2026-03-15', requests: 200, errors: [{ type: 'upstream_error', requests: 4 }, left] },
    { group: '2026-03-16', requests: 10, errors: [{ type: 'rate_limit_error', requests: 5 }] },
  ]
  const total = { requests: 210, errors: [...rows[0]!.errors, ...rows[1]!.errors] }
  const places = daysOf(['2026-03-15', '2026-03-16', '2026-03-17'])
  const { series, rows: bars } = shareStack(rows, places, total)
  expect(series.map(({ name, total: share }) => [name, share])).toEqual([
    ['rate_limit_error', 23_809n],
    ['upstream_error', 19_047n],
  ])
  expect(bars.map(({ values, total: share }) => [...values, share])).toEqual([
    [0n, 20_000n, 20_000n],
    [500_000n, 0n, 500_000n],
    [0n, 0n, 0n],
  ])
  expect(countStack(rows, places).rows.map(({ total: count }) => count)).toEqual([4n, 5n, 0n])
})

test('shareStack computes one rate for the days of a week', () => {
  const places = placesOf(daysBetween('2025-11-22', '2026-11-21'))
  const rows = [
    { group: '2026-11-17', requests: 90, errors: [] },
    { group: '2026-11-18', requests: 10, errors: [{ type: 'api_error', requests: 1 }] },
  ]
  const { rows: bars } = shareStack(rows, places, { requests: 100, errors: [] })
  expect(bars.at(-1)).toEqual({ at: '2026-11-16', values: [10_000n], total: 10_000n })
})
