import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayMs, dayPeriod, netPeriodsOf, periodsOf } from './period.ts'

const day = fc.integer({ min: 18_000, max: 22_000 })

it('added minus subtracted periods give the days of the range', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 800 }), day, (first, length, today) => {
      const [fromMs, toMs] = [first * dayMs, (first + length) * dayMs]
      const { added, taken } = netPeriodsOf(fromMs, toMs, today * dayMs)
      const counts = new Map<string, number>()
      for (const one of added.flatMap(daysIn)) counts.set(one, (counts.get(one) ?? 0) + 1)
      for (const one of taken) counts.set(one, (counts.get(one) ?? 0) - 1)
      const left = [...counts].filter(([, count]) => count !== 0)
      expect(left.map(([one]) => one)).toEqual(periodsOf(fromMs, toMs, 'day'))
      expect(left.every(([, count]) => count === 1)).toBe(true)
      const filled = taken.filter((one) => one < dayPeriod(today * dayMs))
      expect(added.length + filled.length).toBeLessThanOrEqual(periodsOf(fromMs, toMs, 'month').length)
    }),
  )
})

it('a year that ends today needs its months and few days', () => {
  for (let today = 20_000; today < 20_400; today++) {
    const [nowMs, toMs] = [(today + 0.5) * dayMs, (today + 1) * dayMs]
    const { added, taken } = netPeriodsOf(toMs - 365 * dayMs, toMs, nowMs)
    const filled = taken.filter((one) => one <= dayPeriod(nowMs))
    expect(added.length + filled.length).toBeLessThanOrEqual(12 + 16)
  }
})

it('nothing is subtracted from a range that starts or ends within a day', () => {
  const range = [1.5 * dayMs, 90 * dayMs] as const
  expect(netPeriodsOf(...range, 0)).toEqual({ added: periodsOf(...range, 'month'), taken: [] })
})

function daysIn(period: string): string[] {
  if (!period.startsWith('m')) return [period]
  const [year, month] = period.slice(1).split('-').map(Number)
  return periodsOf(Date.UTC(year!, month! - 1), Date.UTC(year!, month), 'day')
}
