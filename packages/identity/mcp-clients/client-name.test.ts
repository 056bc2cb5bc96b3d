import { expect, test } from 'vitest'
import { clientName } from './client-name.ts'

test.each([
  [' My\u202e\nagent ', 'My agent'],
  ['a\u2066b\u200bc', 'a b c'],
  ['❤️ App', '❤ App'],
  ['Mein Gerät', 'Mein Gerät'],
  ['x'.repeat(10_000), 'x'.repeat(64)],
  ['a\u0301\u0302\u0303\u0304', 'á\u0302\u0303\u0304'.normalize('NFD')],
  // More marks than any language uses would cover the lines above and below.
  [`a${'\u0301'.repeat(60)}b`, `a${'\u0301'.repeat(4)}b`],
])('%j is shown as %j', (name, shown) => {
  expect(clientName(name)).toBe(shown)
})

test.each([
  ['nothing', ''],
  ['spaces', ' \u3000\u2003 '],
  ['controls', '\u0000\u202e'],
  ['half a pair', '\ud800'],
  ['fillers of Hangul', '\u3164\u115f\u1160\uffa0'],
  ['empty cells of Braille', '\u2800\u2800'],
  ['a joiner of marks', '\u034f'],
  ['signs of variants', '\ufe0f\u{e0100}'],
])('%s is no name', (_, name) => {
  expect(clientName(name)).toBeUndefined()
})
