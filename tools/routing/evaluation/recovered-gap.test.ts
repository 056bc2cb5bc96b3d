import { expect, test } from 'vitest'
import { estimate } from './bootstrap.ts'
import { averageRecoveredGap, callsForRecoveredGap } from './recovered-gap.ts'

const weak = [1, 0, 1, 0, 1, 1, 1, 1]
const strong = [1, 1, 1, 1, 1, 1, 1, 1]

test('is that of chance if all scores are equal, whatever the order of the prompts', () => {
  const scores = weak.map(() => 1)
  expect(averageRecoveredGap({ scores, weak, strong })).toBeCloseTo(0.5, 12)
  expect(averageRecoveredGap({ scores, weak: weak.toReversed(), strong })).toBeCloseTo(0.5, 12)
  expect(callsForRecoveredGap({ scores, weak, strong }, 0.5)).toBe(0.5)
})

test('is the highest if the prompts that only the strong model can answer come first', () => {
  const scores = weak.map((value) => 1 - value)
  // The gap is closed over the first two of eight.
  expect(averageRecoveredGap({ scores, weak, strong })).toBeCloseTo((1 + 6) / 8, 12)
  expect(callsForRecoveredGap({ scores, weak, strong }, 0.5)).toBe(1 / 8)
  expect(callsForRecoveredGap({ scores, weak, strong }, 0.8)).toBe(2 / 8)
})

test('is the lowest if they come last', () => {
  expect(averageRecoveredGap({ scores: weak, weak, strong })).toBeCloseTo(1 / 8, 12)
})

test('the estimated interval contains its figure, and is the same every time', () => {
  const figure = (indexes: Int32Array): number =>
    indexes.reduce((sum, index) => sum + weak[index]!, 0) / indexes.length
  const one = estimate(weak.length, figure)
  expect(one.value).toBe(0.75)
  expect(one.low).toBeLessThan(0.75)
  expect(one.high).toBeGreaterThan(0.75)
  expect(estimate(weak.length, figure)).toEqual(one)
})
