import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsForAll } from '../testing/holds-for-all.ts'
import { Names } from './names.ts'
import { scanObject } from './scan.ts'

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, child) => sum + valuesOf(child), 1)
}

function scanned(text: string, bounds?: { maxValues: number; maxMembers: number }) {
  return scanObject(Buffer.from(text), undefined, bounds)
}

describe('a single walk over a JSON text', () => {
  const indents = fc.constantFrom(undefined, 1, '\t')
  holdsForAll(
    'counts all values',
    [fc.dictionary(fc.string(), fc.jsonValue()), indents],
    (object, indent) => {
      const text = JSON.stringify(object, null, indent)
      expect(scanned(text).values).toBe(valuesOf(JSON.parse(text)))
    },
  )

  const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', ' ', 'a', '"a":')
  holdsForAll(
    'ends for any bytes',
    [fc.array(pieces, { maxLength: 300 })],
    (text) => {
      scanObject(Buffer.from(text.join('')), new Names({ a: { a: true } }))
    },
    1_000,
  )

  test.each([
    ['{"a":[1,2,3]}', 5, undefined],
    ['{"a":[1,2,3]}', 4, 'values'],
    ['{"a":[[],{},[ ]]}', 5, undefined],
    ['{"a":[[],{},[ ]]}', 4, 'values'],
    [`{"a":[${'{},'.repeat(10_000)}{}]}`, 100, 'values'],
    [`{"a":${'['.repeat(300)}`, 100, 'values'],
    ['{"a":",,,,[[[[{{{"}', 2, undefined],
  ])('%.20s within %i values: %s', (text, maxValues, tooMany) => {
    expect(scanned(text, { maxValues, maxMembers: 9 }).tooMany).toBe(tooMany)
  })

  test('members are limited separately, and nested members do not count', () => {
    const bounds = { maxValues: 100, maxMembers: 2 }
    expect(scanned('{"a":{"b":1,"c":2,"d":3},"e":4}', bounds).tooMany).toBeUndefined()
    expect(scanned('{"a":1,"b":2,"c":3}', bounds).tooMany).toBe('members')
  })

  test.each([
    ['{"b":{"c":1,"c":2}}', { path: 'b.c', name: undefined }],
    ['{"b":[{"c":1},{"x":1,"c":1,"C":2}]}', { path: 'b[1].C', name: 'c' }],
    ['{"b":[{"c":1},{"c":1}],"b":{"c":1}}', undefined],
    ['{"x":{"c":1,"c":1},"b":{"x":{"c":1,"c":2}}}', undefined],
    ['{"b":{"d":{"e":1},"c":1,"d":1}}', { path: 'b.d', name: undefined }],
    ['{"b":{"c":1,"\\u0063":2}}', { path: 'b.c', name: undefined }],
    ['{"A":1,"B":2}', { path: 'A', name: 'a' }],
    ['{"long-name":1}', { path: 'long-name', name: 'long_name' }],
    ['{"longName":1}', { path: 'longName', name: 'long_name' }],
    ['{"_a":1,"a_":1,"aa":1}', undefined],
  ])('%s: %j', (text, ambiguous) => {
    const names = new Names({ a: true, b: { c: true, d: { e: true } }, long_name: true })
    expect(scanObject(Buffer.from(text), names).ambiguous).toEqual(ambiguous)
  })
})
