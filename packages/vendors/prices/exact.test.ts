import { parseDecimal, unitsAt } from '@turnpike/billing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPackagedSource } from '../generator/packaged-source.ts'
import { loadVendors } from '../generator/vendor-files.ts'
import { InexactPrice, priceForOne } from './exact.ts'

const seed = Date.now() % 2 ** 31

/** Scales a decimal so that both sides are whole. */
function units(text: string): bigint {
  return unitsAt(parseDecimal(text), 18)
}

test.each([
  [2.5, 6, '0.0000025'],
  [0, 6, '0'],
  [1e-6, 6, '0.000000000001'],
  [0.003625, 6, '0.000000003625'],
  [1_000_000, 6, '1'],
  [12_500_000, 6, '12.5'],
  [30, 6, '0.00003'],
  [12, 3, '0.012'],
  [1e21, 6, '1000000000000000'],
])('%d per 10^%d units is %s per unit', (value, power, expected) => {
  expect(priceForOne(value, power)).toBe(expected)
})

test.each([0.08333333333333334, 0.18000000000000002, 1e-7, -1, Number.NaN, Infinity])(
  'rejects what cannot be charged exactly: %d a million',
  (value) => {
    expect(() => priceForOne(value, 6)).toThrow(InexactPrice)
  },
)

test(`only moves the decimal point (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 12 }), fc.integer({ min: 0, max: 6 }), (digits, decimals) => {
      const text = digits.toString().padStart(decimals + 1, '0')
      const whole = text.slice(0, text.length - decimals)
      const value = Number(decimals === 0 ? text : `${whole}.${text.slice(-decimals)}`)
      const expected = BigInt(digits) * 10n ** BigInt(12 - decimals)
      expect(units(priceForOne(value, 6))).toBe(expected)
    }),
    { seed },
  )
})

test('every price of the data is converted to the last digit, or is listed as inexact', async () => {
  let exact = 0
  const inexact = new Set<string>()
  for (const provider of readPackagedSource(await loadVendors())) {
    for (const model of provider.models) {
      for (const { name, value } of numbersOf(model.prices)) {
        const power = name.endsWith('_kcount') ? 3 : 6
        try {
          const million = units(priceForOne(value, power)) * 10n ** BigInt(power)
          expect(million, `${provider.id} ${model.id} ${name} ${value}`).toBe(units(String(value)))
          exact++
        } catch (error) {
          if (!(error instanceof InexactPrice)) throw error
          inexact.add(`${provider.id} ${name} ${value}`)
        }
      }
    }
  }
  expect(exact).toBeGreaterThan(3000)
  expect([...inexact].toSorted()).toEqual([
    'huggingface_together input_mtok 0.18000000000000002',
    'openrouter cache_write_mtok 0.08333333333333334',
  ])
})

function* numbersOf(prices: ReturnType<typeof readPackagedSource>[number]['models'][number]['prices']) {
  for (const period of Array.isArray(prices) ? prices : [{ prices }]) {
    for (const [name, price] of Object.entries(period.prices)) {
      if (typeof price === 'number') yield { name, value: price }
      else for (const value of [price.base, ...price.tiers.map((tier) => tier.price)]) yield { name, value }
    }
  }
}
