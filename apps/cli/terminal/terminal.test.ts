import { decimalUnits, dollars, duration, groupDigits, timesTenTo } from '@turnpike/api'
import { describe, expect, test } from 'vitest'
import { bar } from './bar.ts'
import { plain, styleFor } from './style.ts'
import { table, type Column } from './table.ts'
import { harmless, oneLine, textWidth, truncate, wrap } from './text-width.ts'
import { when } from './time.ts'

describe('amounts keep every digit', () => {
  test.each([
    ['0', '$0.00'],
    ['25', '$25.00'],
    ['12.5', '$12.50'],
    ['1234567.891', '$1,234,567.891'],
    ['0.00004175', '$0.00004175'],
    ['-0.5', '-$0.50'],
    ['what?', 'what?'],
  ])('%s is %s', (text, shown) => expect(dollars(text)).toBe(shown))

  test.each([
    ['0.0000025', '2.5'],
    ['0.000015', '15'],
    ['0.00000000075', '0.00075'],
    ['0', '0'],
    ['1', '1000000'],
    ['1.25', '1250000'],
    ['-0.0000025', '-2.5'],
  ])('a million times %s is %s', (text, product) => expect(timesTenTo(text, 6)).toBe(product))

  test.each([
    ['1', 10n ** 18n],
    ['0.000000000000000001', 1n],
    ['-2.5', -25n * 10n ** 17n],
    ['', 0n],
  ])('%s is %d of 10⁻¹⁸', (text, units) => expect(decimalUnits(text)).toBe(units))

  test('groups', () =>
    expect([0, 999, 1000, 1234567].map(groupDigits)).toEqual(['0', '999', '1,000', '1,234,567']))
})

describe('text', () => {
  test.each([
    ['abc', 3],
    ['漢字', 4],
    ['👩‍👩‍👧', 2],
    ['e\u0301', 1],
    ['\u001b[31mred\u001b[39m', 3],
    ['한국어', 6],
  ])('%s takes %i columns', (text, width) => expect(textWidth(text)).toBe(width))

  test.each([
    ['hello world', 8, 'hello w…'],
    ['漢字漢字', 6, '漢字…'],
    ['short', 8, 'short'],
  ])('%s in %i columns is %s', (text, width, cut) => expect(truncate(text, width)).toBe(cut))

  test('from elsewhere cannot control the terminal', () => {
    expect(oneLine('a\nb\u001b]0;title\u0007\tc\u202ed')).toBe('a b]0;title cd')
    expect(harmless('one\r\ntwo\u001b[2J\u009b1A\tthree')).toBe('one\ntwo[2J1A\tthree')
  })

  test('is broken between words', () => expect(wrap('aa bb cccc d', 5)).toEqual(['aa bb', 'cccc', 'd']))
})

describe('time', () => {
  const screen = { isTerminal: true, width: 80, style: plain, nowMs: 1_773_144_000_000 }
  const now = 1_773_144_000

  test.each([
    [now - 5, '5 seconds ago'],
    [now - 100, '2 minutes ago'],
    [now - 7_200, '2 hours ago'],
    [now - 86_400, 'yesterday'],
    [now + 86_399, 'in 24 hours'],
    [now - 40 * 86_400, '2026-01-29'],
  ])('%i is %s', (seconds, shown) => expect(when(seconds, screen)).toBe(shown))

  test('into a pipe is exact', () => {
    expect(when(now, { ...screen, isTerminal: false })).toBe('2026-03-10T12:00:00Z')
    expect(when(null, screen, 'never')).toBe('never')
  })

  test('durations', () => expect([12, 999, 1_400].map(duration)).toEqual(['12 ms', '999 ms', '1.4 s']))
})

test('bars are as long as their share, to an eighth of a column', () => {
  expect([0, 0.5, 1, 2, 0.0001, 0.05].map((share) => bar(share, 10))).toEqual([
    '',
    '█'.repeat(5),
    '█'.repeat(10),
    '█'.repeat(10),
    '▏',
    '▌',
  ])
})

describe('a table', () => {
  interface Row {
    id: string
    name: string
    cost: string
  }
  const rows: Row[] = [
    { id: 'key_1', name: 'a name that is rather long, as names go', cost: '1.5' },
    { id: 'key_2', name: '漢字\tand a tab', cost: '10' },
  ]
  const columns: Column<Row>[] = [
    { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
    { field: 'name', title: 'NAME', text: ({ name }) => name },
    { field: 'cost', title: 'COST', text: ({ cost }) => cost, align: 'right', narrow: 'drop' },
  ]
  const on = (width: number, isTerminal = true): string =>
    table(rows, columns, { isTerminal, width, style: plain, nowMs: 0 })

  test('is as wide as it needs to be', () => {
    expect(on(80)).toBe(
      [
        'ID     NAME                                     COST',
        'key_1  a name that is rather long, as names go   1.5',
        'key_2  漢字 and a tab                             10',
        '',
      ].join('\n'),
    )
  })

  test('cuts columns, then drops some, then lists the rows', () => {
    expect(on(40)).toBe(
      [
        'ID     NAME                         COST',
        'key_1  a name that is rather long…   1.5',
        'key_2  漢字 and a tab                 10',
        '',
      ].join('\n'),
    )
    expect(on(24)).toBe('ID     NAME\nkey_1  a name that is r…\nkey_2  漢字 and a tab\n')
    expect(on(12)).toContain('  id    key_1\n  name  a name that is rather long, as names go\n\n')
  })

  test('into a pipe is complete, one row per line', () => {
    expect(on(20, false)).toBe(`key_1\t${rows[0]!.name}\t1.5\nkey_2\t漢字 and a tab\t10\n`)
  })
})

test('colours only appear on terminals, unless turned off', () => {
  expect(styleFor(true, {}).red('x')).toBe('\u001b[31mx\u001b[39m')
  expect(styleFor(false, {}).red('x')).toBe('x')
  expect(styleFor(true, { NO_COLOR: '1' }).red('x')).toBe('x')
  expect(styleFor(true, { NO_COLOR: '' }).red('x')).not.toBe('x')
  expect(styleFor(true, { TERM: 'dumb' }).red('x')).toBe('x')
})
