import { expect, test } from 'vitest'
import { parseConfiguration } from './load.ts'

const key = Buffer.alloc(32, 7).toString('base64')

function mistakesIn(text: string): string[] {
  const { mistakes } = parseConfiguration(`responses: ${text}`, { KEY: key })
  return mistakes.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test.each([
  '{ store_days: 30, encryption_keys: ["${KEY}"] }',
  `{ store_days: 365, encryption_keys: ["${key}", "${Buffer.alloc(32).toString('base64')}"] }`,
  '{ encryption_keys: ["${KEY}"] }',
  '{}',
])('%s is valid', (text) => {
  expect(mistakesIn(text)).toEqual([])
})

test.each([
  [
    '{ store_days: 30 }',
    /^responses: missing encryption_keys; .*openssl rand -base64 32.*TURNPIKE_RESPONSES_KEY/,
  ],
  ['{ store_days: 0, encryption_keys: ["${KEY}"] }', /store_days: expected a whole number from 1 to 365/],
  ['{ store_days: 1, encryption_keys: [] }', /encryption_keys: expected at least one/],
  ['{ store_days: 1, encryption_keys: ["short"] }', /encryption_keys.0: expected 32 random bytes in base64/],
  ['{ store_days: 1, encryption_keys: ["${KEY}", "${KEY}"] }', /encryption_keys.1: is listed twice/],
  [
    '{ store_days: 1, encryption_keys: ["${KEY}"], max_answer_bytes: 2000000, max_account_bytes: 2000000 }',
    /^responses: max_answer_bytes \(2000000\) is larger than max_account_bytes/,
  ],
])('%s is rejected with a message that says what to do', (text, expected) => {
  expect(mistakesIn(text)).toEqual([expect.stringMatching(expected)])
  expect(mistakesIn(text).join(' ')).not.toContain(key)
})
