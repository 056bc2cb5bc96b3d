import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../testing/holds-for-all.ts'
import { withMembers } from './members.ts'
import { scanObject } from './scan.ts'

function edited(text: string, changes: Record<string, string | undefined>): string {
  const body = Buffer.from(text)
  return withMembers(body, scanObject(body).members, new Map(Object.entries(changes))).toString()
}

describe('members of a JSON object', () => {
  const indents = fc.constantFrom(undefined, 1, 4, '\t')
  holdsForAll(
    'are found with their exact text',
    [fc.dictionary(fc.string(), fc.jsonValue()), indents],
    (object, indent) => {
      const body = Buffer.from(JSON.stringify(object, null, indent))
      const { members } = scanObject(body)
      const found = members.map(({ key, valueStart, end }) => [
        key,
        body.subarray(valueStart, end).toString(),
      ])
      const expected = Object.entries(JSON.parse(body.toString()) as object)
      expect(found.map(([key, text]) => [key, JSON.parse(text!)])).toEqual(expected)
    },
  )

  holdsForAll(
    'are changed one by one, without affecting others',
    [fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()],
    (object, value) => {
      const text = JSON.stringify(object)
      const changed = edited(text, {
        model: JSON.stringify(value),
        metadata: undefined,
        stream_options: '{}',
      })
      const { metadata: _gone, ...rest } = JSON.parse(text) as Record<string, unknown>
      const expected = { ...rest, model: value, stream_options: {} }
      expect(JSON.parse(changed)).toEqual(JSON.parse(JSON.stringify(expected)))
    },
  )

  it('leaves numbers, spaces and escapes of other members unchanged', () => {
    const text = '{ "seed" : 12345678901234567890, "model":"a", "x":[1.0, 1e5,"\\u00e9\\ud83d\\ude42"] }'
    expect(edited(text, { model: '"b"' })).toBe(
      '{ "seed" : 12345678901234567890, "model":"b", "x":[1.0, 1e5,"\\u00e9\\ud83d\\ude42"] }',
    )
  })

  it('replaces every spelling of a key, so that no second one reaches the vendor', () => {
    expect(edited('{"model":"a","mod\\u0065l":"b","model":"c"}', { model: '"ours"' })).toBe(
      '{"model":"ours"}',
    )
  })

  it('may be left out at either end, all of them, or none', () => {
    const text = ' { "a" : 1 , "b":2,"c":3 } '
    expect(edited(text, { a: undefined })).toBe('{"b":2,"c":3}')
    expect(edited(text, { c: undefined })).toBe('{"a" : 1 , "b":2}')
    expect(edited(text, { a: undefined, b: undefined, c: undefined })).toBe('{}')
    expect(edited(text, { a: undefined, b: '"é"', c: undefined, d: '4' })).toBe('{"b":"é","d":4}')
    expect(edited('{}', { a: undefined })).toBe('{}')
    expect(edited('{ }', { a: '1', b: '2' })).toBe('{"a":1,"b":2}')
    expect(edited('{"a":1,"a":2,"b":3}', { a: '4' })).toBe('{"a":4,"b":3}')
    expect(edited('{"a":1,"b":2}\n', { b: '3' })).toBe('{"a":1,"b":3}')
  })

  it('reports the depth, and the member that is deepest', () => {
    const deep = `{"a":1,"b":${'['.repeat(499)}${']'.repeat(499)}}`
    expect(scanObject(Buffer.from(deep))).toMatchObject({ depth: 500, deepestKey: 'b' })
  })

  it('handles long strings with quotes and backslashes', () => {
    const value = `${'x'.repeat(100)}\\" \\\\${'y'.repeat(100)}\\\\`
    expect(edited(`{"a":"${value}","b":2}`, { b: '3' })).toBe(`{"a":"${value}","b":3}`)
  })
})
