import { expect, test } from 'vitest'
import { leadingVectors } from './leading-vectors.ts'

test('returns the directions of a symmetric matrix, largest first, and zeros beyond its rank', () => {
  const matrix = [Float64Array.of(2, 1, 0), Float64Array.of(1, 2, 0), Float64Array.of(0, 0, 0)]
  const [first, second, third] = leadingVectors(matrix, 3)
  expect(Math.abs(first![0]! * Math.SQRT1_2 + first![1]! * Math.SQRT1_2)).toBeCloseTo(1, 9)
  expect(Math.abs(second![0]! * Math.SQRT1_2 - second![1]! * Math.SQRT1_2)).toBeCloseTo(1, 9)
  expect([...third!]).toEqual([0, 0, 0])
})
