import { expect, test } from 'vitest'
import { marksOf, labelPlaces } from './axis.ts'

test.each([
  [0, [0]],
  [Number.NaN, [0]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [0.31, [0, 0.1, 0.2, 0.30000000000000004, 0.4]],
  [97, [0, 25, 50, 75, 100]],
  [1_000_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
])('marksOf returns the marks up to %s', (largest, expected) => expect(marksOf(largest)).toEqual(expected))

test('labelPlaces skips names that have no room', () => {
  expect(labelPlaces(30, 900, 60)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28])
  expect(labelPlaces(3, 10, 60)).toEqual([0])
  expect(labelPlaces(0, 900, 60)).toEqual([])
})
