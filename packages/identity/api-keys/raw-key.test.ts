import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { hashApiKey, isWellFormedApiKey, newApiKey } from './raw-key.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a new key has the documented form and a valid checksum', () => {
  const { raw, prefix, hash } = newApiKey()
  expect(raw).toMatch(/^sk-turnpike-[0-9A-Za-z]{38}$/)
  expect(prefix).toBe(raw.slice(0, 16))
  expect(hash).toBe(createHash('sha256').update(raw).digest('hex'))
  expect(hashApiKey(raw)).toBe(hash)
  const checksum = Array.from(raw.slice(-6)).reduce((value, one) => value * 62 + alphabet.indexOf(one), 0)
  expect(checksum).toBe(crc32(raw.slice(0, -6)))
})

test('every new key is different', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newApiKey().raw)).size).toBe(1_000)
})

test('every single typo is detected', () => {
  const { raw } = newApiKey()
  expect(isWellFormedApiKey(raw)).toBe(true)
  for (let at = 0; at < raw.length; at++) {
    const other = raw[at] === 'x' ? 'y' : 'x'
    expect(isWellFormedApiKey(raw.slice(0, at) + other + raw.slice(at + 1))).toBe(false)
  }
})

test.each(['', 'sk-turnpike-', 'sk-other', 'sk-turnpike-é'.padEnd(50, 'x')])('%j is no key', (raw) => {
  expect(isWellFormedApiKey(raw)).toBe(false)
  expect(isWellFormedApiKey(`${newApiKey().raw}x`)).toBe(false)
})
