import { expect, test } from 'vitest'
import { daysBetween } from '../format/time.ts'
import { placesOf } from './places.ts'

test('placesOf shows up to a hundred days as days', () => {
  const days = daysBetween('2026-08-14', '2026-11-21')
  const { unit, ats, title } = placesOf(days)
  expect([unit, ats, title('2026-11-21')]).toEqual(['day', days, '21 Nov 2026'])
})

test('placesOf shows more as weeks from Monday on, cut to the range at both ends', () => {
  const days = daysBetween('2025-11-22', '2026-11-21')
  const { unit, ats, placeOf, title } = placesOf(days)
  expect([unit, ats.length]).toEqual(['week', 53])
  expect(ats.slice(0, 2)).toEqual(['2025-11-22', '2025-11-24'])
  expect(new Set(days.map(placeOf))).toEqual(new Set(ats))
  expect([placeOf('2026-01-04'), placeOf('2026-01-05')]).toEqual(['2025-12-29', '2026-01-05'])
  expect(title('2025-11-22')).toBe('22 Nov – 23 Nov 2025')
  expect(title('2025-12-29')).toBe('29 Dec – 4 Jan 2026')
  expect(title('2026-11-16')).toBe('16 Nov – 21 Nov 2026')
})
