import { expect, test } from 'vitest'
import { flatness } from './flatness.ts'

const allowance = { absolute: 10, relative: 0.1 }
const minutes = (of: (minute: number) => number): number[] => Array.from({ length: 30 }, (_, at) => of(at))

test('a constant or falling series is flat', () => {
  expect(
    flatness(
      minutes(() => 200),
      allowance,
    ),
  ).toEqual({ rise: 0, allowed: 20, flat: true })
  expect(
    flatness(
      minutes((at) => 300 - at),
      allowance,
    ),
  ).toMatchObject({ rise: -29, flat: true })
})

test('a rising series is not flat once it exceeds the larger allowance', () => {
  expect(
    flatness(
      minutes((at) => 200 + at),
      allowance,
    ),
  ).toMatchObject({ rise: 29, flat: false })
  expect(
    flatness(
      minutes((at) => at / 3),
      allowance,
    ).flat,
  ).toBe(true)
  expect(
    flatness(
      minutes((at) => at / 2),
      allowance,
    ).flat,
  ).toBe(false)
  expect(
    flatness(
      minutes((at) => 1_000 + at),
      allowance,
    ).flat,
  ).toBe(true)
})

test('outliers neither make nor hide a slope', () => {
  const wild = (at: number): number => (at % 6 === 5 ? 5_000 * (at / 30) : 0)
  expect(
    flatness(
      minutes((at) => 100 + (at % 3) + wild(at)),
      allowance,
    ).flat,
  ).toBe(true)
  expect(
    flatness(
      minutes((at) => 100 + at * 2 - wild(at)),
      allowance,
    ).flat,
  ).toBe(false)
})

test('too few values give no verdict', () => {
  expect(flatness([1, 2, 3, 4, 5, 6, 7, 8, 900], allowance).flat).toBeUndefined()
  expect(flatness([], allowance).flat).toBeUndefined()
})
