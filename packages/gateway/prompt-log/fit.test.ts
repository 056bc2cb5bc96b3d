import { expect, test } from 'vitest'
import { fitValue, shortenText } from './fit.ts'

test.each<[string, unknown]>([
  ['a long text', { a: 'x'.repeat(100_000), b: 'y' }],
  ['many texts', { messages: Array.from({ length: 900 }, (_, at) => ({ role: 'user', content: `m${at}` })) }],
  ['a list of lists', Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 1))],
  ['many members', Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`n${at}`, at]))],
  ['long names', { ['n'.repeat(50_000)]: 1 }],
  ['other letters', ['😀'.repeat(40_000)]],
])('%s stays within the limit', (_name, value) => {
  const { value: kept, cut } = fitValue(value, 8_192)
  expect(cut).toBe(true)
  expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(8_192)
  expect(fitValue(kept, 8_192)).toEqual({ value: kept, cut: false })
})

test('keeps the beginning and the end of a conversation', () => {
  const messages = Array.from({ length: 9 }, (_, at) => `first${at} ${'x'.repeat(4_000)} last${at}`)
  const text = JSON.stringify(fitValue({ messages }, 8_192).value)
  for (let at = 0; at < 9; at++) expect(text).toMatch(new RegExp(`first${at}.*last${at}`))
})

test('never cuts within a character', () => {
  expect(shortenText(`a${'😀'.repeat(100)}`, 64).isWellFormed()).toBe(true)
  expect(shortenText('short', 64)).toBe('short')
})
