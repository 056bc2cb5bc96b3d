import { describe, expect, test } from 'vitest'
import { axisUsd, exactUsd, parseUsd, perMillion, shareOf, shortUsd, sumUsd } from './money.ts'

describe('amounts', () => {
  test.each([
    ['0', '$0.00', '$0.00'],
    ['25', '$25.00', '$25.00'],
    ['0.00004175', '$0.00004175', '$0.00004175'],
    ['0.000000000001', '$0.000000000001', '$0.000000000001'],
    ['1234.5', '$1,234.50', '$1,234.50'],
    ['1234.567891', '$1,234.567891', '$1,234.57'],
    ['0.123456789012', '$0.123456789012', '$0.12'],
    ['0.0999999', '$0.0999999', '$0.10'],
    ['0.056789', '$0.056789', '$0.05679'],
    ['0.999999', '$0.999999', '$1.00'],
    ['0.5', '$0.50', '$0.50'],
    ['-0.5', '−$0.50', '−$0.50'],
    ['-12.005', '−$12.005', '−$12.01'],
    ['9007199254740993.000000000001', '$9,007,199,254,740,993.000000000001', '$9,007,199,254,740,993.00'],
  ])('show %s as %s, rounded %s', (amount, exact, short) => {
    expect([exactUsd(amount), shortUsd(amount)]).toEqual([exact, short])
  })

  test('adds and subtracts exactly where floats would not', () => {
    expect(exactUsd(sumUsd(['0.1', '0.2', '0.000000000001']))).toBe('$0.300000000001')
    expect(sumUsd([])).toBe(0n)
  })

  test.each(['', '1e3', '.5', '1.', 'abc', '1.0000000000001'])('refuses "%s"', (text) =>
    expect(() => parseUsd(text)).toThrow(RangeError),
  )
})

test.each([
  ['0.0000025', '$2.50'],
  ['0.00000025', '$0.25'],
  ['0.000000025', '$0.025'],
  ['0', '$0.00'],
  ['0.0000000000005', '$0.0000005'],
  ['1', '$1,000,000.00'],
])('perMillion turns %s per token into %s', (price, expected) => expect(perMillion(price)).toBe(expected))

test.each([
  [0, '$0'],
  [0.00005, '$0.00005'],
  [0.25, '$0.25'],
  [3, '$3.00'],
  [3.5, '$3.50'],
  [200, '$200'],
  [1500, '$1.5K'],
])('axisUsd shows %s as %s', (value, expected) => expect(axisUsd(value)).toBe(expected))

test('shareOf returns percent to a tenth, and undefined for a share of zero', () => {
  expect(shareOf(1n, 3n)).toBe(33.3)
  expect(shareOf(1n, 0n)).toBeUndefined()
})
