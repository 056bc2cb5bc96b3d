import { expect, test } from 'vitest'
import { vatIdOf } from './vat-id.ts'

test.each([
  ['de 123.456.789', 'DE', 'DE123456789'],
  ['ATU12345678', 'AT', 'ATU12345678'],
  ['EL123456789', 'GR', 'EL123456789'],
  ['che-123.456.789 mwst', 'CH', 'CHE123456789MWST'],
  ['NL123456789B01', 'NL', 'NL123456789B01'],
  // A company may be registered in another country.
  ['DE123456789', 'US', 'DE123456789'],
  ['DE123456789', 'FR', 'DE123456789'],
  ['27AAPFU0939F1ZV', 'IN', '27AAPFU0939F1ZV'],
  ['51 824 753 556', 'AU', '51824753556'],
])('%s of %s becomes %s', (typed, country, vatId) => {
  expect(vatIdOf(typed, country)).toEqual({ vatId })
})

test.each([
  ['123456789', 'DE', 'DE123456789'],
  ['DE12345678', 'DE', 'DE123456789'],
  ['GR123456789', 'GR', 'EL123456789'],
  ['ATU1234567', 'DE', 'ATU12345678'],
  ['=1+1', 'US', '4 to 20'],
  ['x', 'IN', '4 to 20'],
  ['1'.repeat(10_000), 'US', '4 to 20'],
  ['İ'.repeat(8), 'TR', '4 to 20'],
])('%s of %s is invalid: expected %s', (typed, country, expected) => {
  expect(vatIdOf(typed, country)).toEqual({ expected: expect.stringContaining(expected) as string })
})
