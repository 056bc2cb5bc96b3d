import { expect, test } from 'vitest'
import { mistakesIn } from './testing/mistakes.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const environment = { KEY: key }

test.each([
  'byok: { encryption_keys: ["${KEY}"] }',
  'byok: { encryption_keys: ["${KEY}"], fee_percent: "2.5" }',
  '{ byok: { encryption_keys: ["${KEY}"], providers: [openai] }, providers: { openai: {} } }',
  '{ byok: { encryption_keys: ["${KEY}"] }, providers: { openai: { own_keys_only: true } } }',
  'responses: { store_days: 30, encryption_keys: ["${KEY}"] }',
  `responses: { store_days: 365, encryption_keys: ["${key}", "${Buffer.alloc(32).toString('base64')}"] }`,
  'responses: { encryption_keys: ["${KEY}"] }',
  'responses: {}',
  'prompt_log: {}',
  'prompt_log: { enabled: false }',
  'prompt_log: { max_days: 90, max_bytes: 65536, max_account_bytes: 1048576, encryption_keys: ["${KEY}"] }',
  String.raw`prompt_log: { redact: [{ name: customer, pattern: '(?i)\bC-\d{6}\b' }] }`,
])('%s is valid', (text) => {
  expect(mistakesIn(text, environment)).toEqual([])
})

test.each([
  ['byok: {}', /^t.yaml:1:\d+ byok.encryption_keys: missing/],
  ['byok: { encryption_keys: ["${KEY}", "${KEY}"] }', /encryption_keys\[1\]: is listed twice/],
  ['byok: { encryption_keys: ["short"] }', /encryption_keys\[0\]: expected 32 random bytes/],
  ['byok: { encryption_keys: ["${KEY}"], fee_percent: "101" }', /fee_percent: expected percent/],
  ['byok: { encryption_keys: ["${KEY}"], fee_percent: "-1" }', /fee_percent: expected percent/],
  [
    '{ byok: { encryption_keys: ["${KEY}"], providers: [nobody] }, providers: { openai: {} } }',
    /byok.providers\[0\]: expected a provider of this configuration/,
  ],
  ['providers: { openai: { own_keys_only: true } }', /own_keys_only: needs byok.encryption_keys/],
  [
    '{ byok: { encryption_keys: ["${KEY}"] }, providers: { openai: { own_keys_only: true, api_keys: [k]} } }',
    /own_keys_only: remove api_keys/,
  ],
  [
    'responses: { store_days: 30 }',
    /^t.yaml:1:\d+ responses: missing encryption_keys; .*openssl rand -base64 32.*TURNPIKE_RESPONSES_KEY/,
  ],
  [
    'responses: { store_days: 0, encryption_keys: ["${KEY}"] }',
    /store_days: expected a whole number from 1 to 365/,
  ],
  ['responses: { store_days: 1, encryption_keys: [] }', /encryption_keys: expected at least one/],
  [
    'responses: { store_days: 1, encryption_keys: ["short"] }',
    /encryption_keys\[0\]: expected 32 random bytes in base64/,
  ],
  [
    'responses: { store_days: 1, encryption_keys: ["${KEY}", "${KEY}"] }',
    /encryption_keys\[1\]: is listed twice/,
  ],
  [
    'responses: { store_days: 1, encryption_keys: ["${KEY}"], max_answer_bytes: 2000000, ' +
      'max_account_bytes: 2000000 }',
    /^t.yaml:1:\d+ responses: max_answer_bytes \(2000000\) is larger than max_account_bytes/,
  ],
  ['prompt_log: { max_days: 0 }', /max_days: expected a whole number from 1 to 3,?650/],
  ['prompt_log: { encryption_keys: ["short"] }', /encryption_keys\[0\]: expected 32 random bytes in base64/],
  ['prompt_log: { encryption_keys: ["${KEY}", "${KEY}"] }', /encryption_keys\[1\]: is listed twice/],
  ['prompt_log: { redact: [{ name: a, pattern: "(" }] }', /redact\[0\]\.pattern: expected an RE2 pattern/],
  [
    'prompt_log: { redact: [{ name: a, pattern: "(a)\\\\1" }] }',
    /redact\[0\]\.pattern: expected an RE2 pattern/,
  ],
  ['prompt_log: { redact: [{ name: a, pattern: "a*" }] }', /redact\[0\]\.pattern: expected an RE2 pattern/],
  ['prompt_log: { redact: [{ name: "A b", pattern: a }] }', /redact\[0\]\.name: expected lower-case letters/],
  [
    'prompt_log: { redact: [{ name: a, pattern: a }, { name: a, pattern: b }] }',
    /redact\[1\]\.name: is listed twice/,
  ],
])('%s is rejected with a message that says what to do', (text, expected) => {
  const mistakes = mistakesIn(text, environment)
  expect(mistakes).toEqual([expect.stringMatching(expected)])
  expect(mistakes.join(' ')).not.toContain(key)
})
