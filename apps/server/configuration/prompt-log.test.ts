import { expect, test } from 'vitest'
import { parseConfiguration } from './load.ts'

const key = Buffer.alloc(32, 7).toString('base64')

function mistakesIn(text: string): string[] {
  const { mistakes } = parseConfiguration(`prompt_log: ${text}`, { KEY: key })
  return mistakes.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test.each([
  '{}',
  '{ enabled: false }',
  '{ max_days: 90, max_bytes: 65536, max_account_bytes: 1048576, encryption_keys: ["${KEY}"] }',
  String.raw`{ redact: [{ name: customer, pattern: '(?i)\bC-\d{6}\b' }] }`,
])('%s is valid', (text) => {
  expect(mistakesIn(text)).toEqual([])
})

test.each([
  ['{ max_days: 0 }', /max_days: expected a whole number from 1 to 3,?650/],
  ['{ encryption_keys: ["short"] }', /encryption_keys.0: expected 32 random bytes in base64/],
  ['{ encryption_keys: ["${KEY}", "${KEY}"] }', /encryption_keys.1: is listed twice/],
  ['{ redact: [{ name: a, pattern: "(" }] }', /redact.0.pattern: expected an RE2 pattern/],
  ['{ redact: [{ name: a, pattern: "(a)\\\\1" }] }', /redact.0.pattern: expected an RE2 pattern/],
  ['{ redact: [{ name: a, pattern: "a*" }] }', /redact.0.pattern: expected an RE2 pattern/],
  ['{ redact: [{ name: "A b", pattern: a }] }', /redact.0.name: expected lower-case letters/],
  ['{ redact: [{ name: a, pattern: a }, { name: a, pattern: b }] }', /redact.1.name: is listed twice/],
])('%s is rejected with a message that says what to do', (text, expected) => {
  expect(mistakesIn(text)).toEqual([expect.stringMatching(expected)])
  expect(mistakesIn(text).join(' ')).not.toContain(key)
})
