import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromLanes, intoLanes } from './lanes.ts'

const three = fc.tuple(
  fc.integer({ min: -7, max: 7 }),
  fc.integer({ min: -7, max: 7 }),
  fc.integer({ min: -7, max: 7 }),
)

function sumsByLanes(lines: readonly (readonly number[])[]): number[] {
  const sum = new Float64Array(1)
  for (const line of lines) sum[0]! += intoLanes(Int8Array.from(line))[0]!
  const into = new Float64Array(3)
  fromLanes(sum, into)
  return [...into]
}

test('sums of lanes equal the plain sums', () => {
  fc.assert(
    fc.property(fc.array(three, { maxLength: 300 }), (lines) => {
      const sums = [0, 1, 2].map((at) => lines.reduce((sum, line) => sum + line[at]!, 0))
      // 0 may come out as -0.
      expect(sumsByLanes(lines).map((sum) => sum + 0)).toEqual(sums)
    }),
  )
})

test('a lane holds the sum of as many of the largest numbers as there are n-grams', () => {
  for (const [one, other] of [
    [7, -7],
    [-7, 7],
    [7, 7],
    [-7, -7],
  ] as const)
    expect(sumsByLanes(Array.from({ length: 6_400 }, () => [one, other, one]))).toEqual(
      [one, other, one].map((number) => number * 6_400),
    )
})
