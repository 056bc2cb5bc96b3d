import { expect, it } from 'vitest'
import { endOfLast } from './periods.ts'

const halts = [
  { fromMs: 10, toMs: 80 },
  { fromMs: 80, toMs: 150 },
  { fromMs: 153, toMs: 200 },
]

it('a stretch extends to the end of the last period that closely follows it', () => {
  expect(endOfLast(halts, 0, 20, 5)).toBe(200)
  expect(endOfLast(halts.toReversed(), 0, 20, 5)).toBe(200)
  expect(endOfLast(halts, 0, 20, 2)).toBe(150)
})

it('a stretch is not extended by a period before it or well after it', () => {
  expect(endOfLast(halts, 0, 5, 5)).toBe(5)
  expect(endOfLast(halts, 210, 220, 5)).toBe(220)
  expect(endOfLast([], 0, 5, 5)).toBe(5)
})
