import { expect, test } from 'vitest'
import { spendPeriodAt, type SpendLimitPeriod } from './spend-period.ts'

const periods: [SpendLimitPeriod, string, string, string][] = [
  ['day', '2026-03-15T12:00:00Z', '2026-03-15T00:00:00Z', '2026-03-16T00:00:00Z'],
  ['day', '2026-03-15T00:00:00Z', '2026-03-15T00:00:00Z', '2026-03-16T00:00:00Z'],
  ['day', '2026-03-15T23:59:59.999Z', '2026-03-15T00:00:00Z', '2026-03-16T00:00:00Z'],
  // A Sunday, and the Monday after it.
  ['week', '2026-03-15T23:59:59.999Z', '2026-03-09T00:00:00Z', '2026-03-16T00:00:00Z'],
  ['week', '2026-03-16T00:00:00Z', '2026-03-16T00:00:00Z', '2026-03-23T00:00:00Z'],
  ['week', '2027-01-01T00:00:00Z', '2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z'],
  ['month', '2028-02-29T23:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
]

test.each(periods)('the %s of %s', (kind, time, startsAt, endsAt) => {
  expect(spendPeriodAt(kind, Date.parse(time))).toEqual({
    kind,
    startsAtMs: Date.parse(startsAt),
    endsAtMs: Date.parse(endsAt),
  })
})

test('total has no end', () => {
  expect(spendPeriodAt('total', 0)).toEqual({ kind: 'total', startsAtMs: -Infinity, endsAtMs: Infinity })
})
