import { describe, expect, test } from 'vitest'
import { placesOf } from '../charts/places.ts'
import { daysBetween } from '../format/time.ts'
import { isDrawn, rangeOf } from './drawn-budgets.ts'

const periods = ['day', 'week', 'month', 'total'] as const
const drawnOver = (from: string, to: string, isRunning: boolean) =>
  periods.filter((period) => isDrawn({ period }, placesOf(daysBetween(from, to)), isRunning))

describe('isDrawn', () => {
  test('draws a budget across bars that each cover one of its periods', () => {
    expect(drawnOver('2026-11-01', '2026-11-23', false)).toEqual(['day'])
    expect(drawnOver('2026-01-01', '2026-11-23', false)).toEqual(['week'])
    expect(drawnOver('2026-11-23', '2026-11-23', false)).toEqual([])
  })

  test('draws it across a running sum that starts with its period and stays within it', () => {
    // A Monday.
    expect(drawnOver('2026-11-23', '2026-11-23', true)).toEqual(['day', 'week'])
    expect(drawnOver('2026-11-23', '2026-11-29', true)).toEqual(['week'])
    expect(drawnOver('2026-11-23', '2026-11-30', true)).toEqual([])
    expect(drawnOver('2026-11-01', '2026-11-30', true)).toEqual(['month'])
    expect(drawnOver('2026-11-01', '2026-12-01', true)).toEqual([])
    expect(drawnOver('2026-11-02', '2026-11-30', true)).toEqual([])
    // A Monday and the first of a month.
    expect(drawnOver('2026-06-01', '2026-06-01', true)).toEqual(['day', 'week', 'month'])
    expect(drawnOver('2026-01-01', '2026-11-23', true)).toEqual([])
  })
})

test('returns the current period as a range', () => {
  const ranges = periods.map((period) => rangeOf({ period }, '2026-03-01')?.from)
  expect(ranges).toEqual(['2026-03-01', '2026-02-23', '2026-03-01', undefined])
})
