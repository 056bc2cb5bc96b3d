import { expect, test } from 'vitest'
import { canonicalEmail, isEmail, isMailable, plainestEmail } from './email-address.ts'

test.each([
  ['ops@example.com', 'ops@example.com'],
  [' OPS@Example.COM\t', 'ops@example.com'],
  ['ops@example.com.', 'ops@example.com'],
  ['ops@b\u00fccher.example', 'ops@xn--bcher-kva.example'],
  ['ops@BU\u0308CHER.example', 'ops@xn--bcher-kva.example'],
  ['ops@xn--bcher-kva.example', 'ops@xn--bcher-kva.example'],
  ['ops@example\u3002com', 'ops@example.com'],
  ['ops@\uff45xample.com', 'ops@example.com'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['\u212aelvin@example.com', 'kelvin@example.com'],
  ['\u0130@example.com', 'i\u0307@example.com'],
  ['a@b@example.com', 'a@b@example.com'],
  // Percent escapes are not decoded in a domain.
  ['ops@ex%61mple.com', 'ops@ex%61mple.com'],
  ['ops@[127.0.0.1]', 'ops@[127.0.0.1]'],
  ['nobody', 'nobody'],
  ['', ''],
])('"%s" is %s', (text, canonical) => {
  expect(canonicalEmail(text)).toBe(canonical)
  expect(canonicalEmail(canonical)).toBe(canonical)
})

test('addresses with look-alike letters belong to different people, but have the same plainest form', () => {
  const wide = '\uff4f\uff50\uff53@example.com'
  expect([canonicalEmail(wide), plainestEmail(wide)]).toEqual([wide, 'ops@example.com'])
})

test.each(['a@b', 'ops+tag@example.com', 'j\u00e9r\u00f4me@b\u00fccher.example'])(
  '%s is an address',
  (text) => expect(isEmail(text)).toBe(true),
)

test.each([
  '',
  'a',
  '@',
  'a@',
  '@b',
  'a b@c',
  'a@b@c',
  'o\u200bps@example.com',
  'ops@exa\u00admple.com',
  'a\0@b',
])('"%s" is none', (text) => expect(isEmail(text)).toBe(false))

test.each([
  'a@b',
  'ops+tag@example.com',
  "o'hara!#$%&*/=?^`{|}~-_.@xn--bcher-kva.example",
  'j\u00e9r\u00f4me@example.com',
])('mail is sent to %s', (text) => expect(isMailable(text)).toBe(true))

test.each([
  'a,b@example.com',
  'a;b@example.com',
  'a@example.com>',
  'a@example.com,b',
  'a@example.com>\r\nRCPT TO:<b',
  '"a b"@example.com',
  '(a)b@example.com',
  'a\\@example.com',
  'a:b@example.com',
  'a@[127.0.0.1]',
  'a@example..com',
  'a@b\u00fccher.example',
  'a@',
])('no mail is sent to "%s"', (text) => expect(isMailable(text)).toBe(false))
