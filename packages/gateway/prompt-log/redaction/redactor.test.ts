import { describe, expect, it } from 'vitest'
import { Redactor } from './redactor.ts'
import { mistakeOfPattern } from './own-patterns.ts'

const base62 = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF'
const keys = {
  'OpenAI’s': `sk-proj-${base62}`,
  'Anthropic’s': `sk-ant-api03-${base62}-${base62}AA`,
  ours: `sk-turnpike-${base62}`,
  'Google’s': `AIzaSy${base62}1`,
  'GitHub’s': `ghp_${base62}1234`,
  'a fine-grained one of GitHub': `github_pat_11ABC_${base62}`,
  'GitLab’s': 'glpat-abcdEFGH1234ijklMNOP',
  'Slack’s': 'xoxb-1234567890-abcdefghijkl',
  'Amazon’s': 'AKIAIOSFODNN7EXAMPLE',
  'Stripe’s': `sk_live_${base62}`,
  'Hugging Face’s': `hf_${base62}`,
  'npm’s': `npm_${base62}1234`,
  'SendGrid’s': `SG.${base62.slice(0, 22)}.${base62}`,
  'a bot’s of Telegram': `123456789:AAF${base62}`,
}

const clean = (text: string): string => new Redactor().text(text)
const inBase64 = (text: string): string => Buffer.from(text).toString('base64')

describe('redacts secrets', () => {
  it.each(Object.entries(keys))('such as a key of %s', (_whose, key) => {
    expect(clean(`use ${key}, please`)).toBe('use [redacted:api_key], please')
    for (const around of [`"${key}"`, `(${key})`, `key=${key}\n`, `<${key}>`, `MY_${key}`])
      expect(clean(around)).not.toContain(key.slice(4, 20))
  })

  it.each([
    ['a JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqb2UifQ.${base62}`, '[redacted:token]'],
    [
      'a bearer token',
      'Authorization: Bearer abc123def456ghi7',
      'Authorization: Bearer [redacted:credential]',
    ],
    [
      'basic credentials',
      'authorization: Basic am9lOmh1bnRlcjI=',
      'authorization: Basic [redacted:credential]',
    ],
    ['a password', 'DB_PASSWORD=hunter2!x', 'DB_PASSWORD=[redacted:credential]'],
    ['a secret in JSON', '{"client_secret": "q8~Zx9"} x', '{"client_secret": "[redacted:credential]"} x'],
    ['a password in an address', 'postgres://joe:hunter2@db/x', 'postgres://joe:[redacted:credential]@db/x'],
    ['a key in a query', 'https://a.b/c?key=abcdef123&x=1', 'https://a.b/c?key=[redacted:credential]&x=1'],
    ['a mail address', 'to joe.doe+x@mail.example.co.uk!', 'to [redacted:email]!'],
    ['a mail address in other letters', 'an jürgen@müller.example gehen', 'an [redacted:email] gehen'],
    [
      'a key file',
      `a -----BEGIN RSA PRIVATE KEY-----\nMII\nx-----END RSA PRIVATE KEY----- b`,
      'a [redacted:private_key] b',
    ],
    ['half a key file', `a -----BEGIN PRIVATE KEY-----\nMIIabc\n`, 'a [redacted:private_key]'],
  ])('such as %s', (_what, text, after) => expect(clean(text)).toBe(after))

  it.each([
    ['on its own', '4111111111111111', '[redacted:card]'],
    ['in groups', 'card 4111 1111 1111 1111 ok', 'card [redacted:card] ok'],
    ['with dashes', '5500-0000-0000-0004', '[redacted:card]'],
    ['of 15 digits', 'amex 3782 822463 10005', 'amex [redacted:card]'],
    ['after a year', 'in 2026 4111 1111 1111 1111 12/29', 'in 2026 [redacted:card] 12/29'],
    ['twice', '4111111111111111 5500000000000004', '[redacted:card] [redacted:card]'],
  ])('such as a card number %s', (_what, text, after) => expect(clean(text)).toBe(after))

  it('in any encoding', () => {
    const { ours } = keys
    const escaped = ours.replaceAll(/[a-z]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
    const encoded = [
      inBase64(ours),
      inBase64(inBase64(`my key: ${ours}`)),
      Buffer.from(`key ${ours}`).toString('base64url'),
      Buffer.from(ours).toString('hex'),
      ours.replaceAll('-', '%2D'),
      ours.replaceAll(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`),
      escaped,
      inBase64('joe:4111 1111 1111 1111'),
      'joe%40example.com',
    ]
    for (const text of encoded) {
      const after = clean(`see ${text} there`)
      expect(after).toMatch(/^see \[redacted:\w+\] there$/)
    }
  })

  it('in tool arguments, names and numbers', () => {
    const redactor = new Redactor()
    const redacted = redactor.value({
      arguments: JSON.stringify({ password: 'correct horse', note: 'x', deep: { apiKey: 'plain' } }),
      'joe@example.com': 1,
      card: 4111111111111111,
      n: 12,
    })
    expect(redacted).toEqual({
      arguments: '{"password":"[redacted:credential]","note":"x","deep":{"apiKey":"[redacted:credential]"}}',
      '[redacted:email]': 1,
      card: '[redacted:card]',
      n: 12,
    })
    expect(redactor.takeCounts()).toEqual({ credential: 2, email: 1, card: 1 })
    expect(redactor.takeCounts()).toEqual({})
  })

  it('by the operator’s patterns', () => {
    const redactor = new Redactor([{ name: 'customer', pattern: String.raw`\bC-\d{6}\b` }])
    expect(redactor.text('C-123456 and C-12')).toBe('[redacted:customer] and C-12')
    expect(redactor.text(inBase64('for customer C-123456.'))).toBe('[redacted:customer]')
    expect(mistakeOfPattern('(a')).toBeDefined()
    expect(mistakeOfPattern('a*')).toMatch(/empty/)
    expect(mistakeOfPattern('(?<=a)b')).toBeDefined()
    expect(mistakeOfPattern('(a+)+b')).toBeUndefined()
  })
})

it.each([
  'The quick brown fox: password rules are explained on page 12.',
  'type Login = { password: string; secret?: string }',
  'npm install react@19.0.0 @scope/name@1.2.3',
  'at 1763900000000 ms, order 1234567890123456, phone +49 170 1234567',
  'req_01k9zzzzzzzzzzzzzzzzzzzzzz and key_01k9zzzzzzzzzzzzzzzzzzzzzz',
  'task-1234567890abcdefgh of sk-learn-contrib-package',
  'antidisestablishmentarianism supercalifragilisticexpialidocious',
  'd41d8cd98f00b204e9800998ecf8427e 550e8400-e29b-41d4-a716-446655440000',
  'basic understanding, bearer certificates',
])('keeps what is not a secret: %s', (text) => expect(clean(text)).toBe(text))

it('replaces media and vectors by their size', () => {
  const redactor = new Redactor()
  const png = Buffer.alloc(3_000, 7).toString('base64')
  expect(redactor.value({ a: `data:image/png;base64,${png}`, b: png, c: Array(64).fill(0.5) })).toEqual({
    a: 'data:image/png;base64,[3000 bytes left out]',
    b: '[3000 bytes of base64 left out]',
    c: '[64 numbers left out]',
  })
})

/**
 * With a pattern of more than linear time, each would take minutes; the test runner's timeout detects that.
 */
it.each([
  'a'.repeat(1_000_000),
  'sk-'.repeat(300_000),
  'eyJaaaaaaaa-'.repeat(80_000),
  '-----BEGIN PRIVATE KEY-----'.repeat(40_000),
  'a.'.repeat(400_000) + '@',
  '@a.'.repeat(300_000),
  '1 '.repeat(400_000),
  '4111 '.repeat(200_000),
  '%41'.repeat(300_000),
  '\\u0041'.repeat(150_000),
  '%41 ' + 'a'.repeat(1_000_000),
  '\\u0041 ' + 'a'.repeat(1_000_000),
  'password='.repeat(100_000),
  'api_'.repeat(200_000),
  'authorization: bearer '.repeat(40_000),
  '://a:'.repeat(200_000),
  ' '.repeat(1_000_000),
  '[{"a":'.repeat(100_000),
  'Bearer '.repeat(100_000),
  '&key='.repeat(100_000),
])(
  'a hostile text takes no longer than another (%#)',
  (text) => {
    const own = [{ name: 'own', pattern: '(a+)+$|(\\w+\\s?)+!' }]
    expect(new Redactor(own).value({ text })).toBeDefined()
  },
  20_000,
)
