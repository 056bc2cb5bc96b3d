import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const nested = (levels: number, open = '[', close = ']'): string =>
  `{"a":${open.repeat(levels - 1)}0${close.repeat(levels - 1)}}`

test.each([
  ['few levels', nested(1_900)],
  ['objects', nested(1_900, '{"a":', '}')],
  ['brackets in a text', JSON.stringify({ text: '['.repeat(50_000) + '{'.repeat(50_000) })],
  ['brackets and quotes in a text', JSON.stringify([`\\"${'\\"[{'.repeat(5_000)}`])],
  ['many lists, one after the other', `[${Array.from({ length: 10_000 }, () => '[]').join(',')}]`],
])('reads %s', (_what, text) => {
  expect(parseJson(text)).toBeDefined()
})

test.each([
  ['many levels', nested(2_100)],
  ['many objects', nested(2_100, '{"a":', '}')],
  ['both', nested(1_100, '[{"a":', '}]')],
  ['so many that nobody could write them', nested(1_000_000)],
  ['what does not end', '['.repeat(100_000)],
])('does not read %s', (_what, text) => {
  expect(parseJson(text)).toBeUndefined()
})
