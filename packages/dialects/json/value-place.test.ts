import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdsForAll } from '../testing/holds-for-all.ts'
import { placeOf, valueAt, type ValuePath } from './value-place.ts'

const paths: readonly ValuePath[] = [
  ['a'],
  ['b', 0, 'a'],
  ['b', 0, 'b'],
  ['a', 'b'],
  ['a', 0],
  ['b', 0, 0, 'a'],
]
const leaf = fc.oneof(fc.string(), fc.nat(), fc.constantFrom(null, true, {}, []))
const named = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.dictionary(fc.constantFrom('a', 'b', '"', 'a\\'), inner, { maxKeys: 3 })
const value = named(fc.oneof(leaf, named(leaf), fc.array(fc.oneof(leaf, named(leaf)), { maxLength: 2 })))

holdsForAll('finds a value in its place', [value, fc.constantFrom(undefined, 1, '\t')], (body, indent) => {
  const json = Buffer.from(` ${JSON.stringify(body, null, indent)} `)
  for (const path of paths) {
    const found = valueAt(body, path)
    const place = path.at(-1) === 0 ? undefined : placeOf(json, path)
    if (place !== undefined) expect(JSON.parse(json.toString('utf8', place.start, place.end))).toEqual(found)
    if (place === undefined && path.at(-1) !== 0) expect(found).toBeUndefined()
  }
})

it.each<[string, ValuePath]>([
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"b":1},"a":{"b":2}}', ['a', 'b']],
  ['{"b":[],"a":{"b":1}}', ['b', 0, 'b']],
  ['{"b":[[{"a":1}]]}', ['b', 0, 'a']],
  ['["a"]', ['a']],
])('does not mistake another value for it: %s', (json, path) => {
  expect(placeOf(Buffer.from(json), path)).toBeUndefined()
})
