import { expect, test } from 'vitest'
import { seal, unseal } from './sealed-text.ts'

test('a sealed text can be read with the same secret only, and only if unchanged', () => {
  const text = '{"raw": "sk-…", "name": "naïve 🗝"}'
  const sealed = seal(text, 'secret')
  expect(unseal(sealed, 'secret')).toBe(text)
  expect(sealed).not.toBe(seal(text, 'secret'))
  expect(() => unseal(sealed, 'Secret')).toThrow()
  const bytes = Buffer.from(sealed, 'base64')
  for (const place of [0, 14, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[place]! ^= 1
    expect(() => unseal(changed.toString('base64'), 'secret')).toThrow()
  }
})
