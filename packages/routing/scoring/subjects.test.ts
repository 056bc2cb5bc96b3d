import { expect, test } from 'vitest'
import { subjectDimensions, worthNear } from './subjects.ts'

function at(dimension: number, size: number): Float64Array {
  return Float64Array.from({ length: subjectDimensions }, (_, index) => (index === dimension ? size : 0))
}

const subjects = {
  points: Float32Array.from([...at(0, 1), ...at(1, 1)]),
  worths: Float32Array.from([0.3, -0.1]),
}

test('a prompt has its subject’s worth, or the mean of the subjects around it', () => {
  expect(worthNear(at(0, 1), subjects)).toBeCloseTo(0.3, 5)
  expect(worthNear(at(1, 1), subjects)).toBeCloseTo(-0.1, 5)
  expect(worthNear(at(2, 1), subjects)).toBeCloseTo(0.1, 5)
})

test('without subjects the worth is 0, and no position is too far away to count', () => {
  expect(worthNear(at(0, 1), { points: new Float32Array(), worths: new Float32Array() })).toBe(0)
  expect(worthNear(at(0, -1e6), { points: Float32Array.from(at(0, 1)), worths: Float32Array.of(0.2) })).toBe(
    0,
  )
  expect(
    worthNear(at(0, 1e6), { points: Float32Array.from(at(0, 1)), worths: Float32Array.of(0.2) }),
  ).toBeCloseTo(0.2, 6)
})
