import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AmountError, formatUsd, maxPico, parseUsd } from './usd.ts'

const seed = Date.now() % 2 ** 31

describe('money', () => {
  it.each([
    ['0', 0n],
    ['25', 25_000_000_000_000n],
    ['0.00004175', 41_750_000n],
    ['-0.5', -500_000_000_000n],
    ['0.000000000001', 1n],
    ['1.50', 1_500_000_000_000n],
    ['0.1000000000000', 100_000_000_000n],
    [12.5, 12_500_000_000_000n],
    [1e-7, 100_000n],
    [1.5e-9, 1_500n],
  ])('reads %j', (text, pico) => {
    expect(parseUsd(text)).toBe(pico)
  })

  it.each([
    '',
    'abc',
    '1e9',
    '.5',
    '5.',
    '+1',
    ' 1',
    '1,000',
    '0x10',
    'NaN',
    '0.0000000000001',
    '9223373',
    Number.NaN,
    1e21,
    Infinity,
  ])('refuses %j', (text) => {
    expect(() => parseUsd(text)).toThrow(AmountError)
  })

  it(`reads what it writes, without exponents or trailing zeros (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.bigInt(-maxPico, maxPico), (pico) => {
        const text = formatUsd(pico)
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/)
        expect(parseUsd(text)).toBe(pico)
      }),
      { seed },
    )
  })
})
