import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { KeyRing } from './key-ring.ts'

const [old, young] = [randomBytes(32), randomBytes(32)]
const of = { accountId: 'acct_1', id: 'resp_req_1' }
const text = Buffer.from('what was said')

test('sealed bytes open only for their own answer and account, and only if unchanged', () => {
  const ring = new KeyRing([old])
  const sealed = ring.seal(text, of, 'answer')
  expect(ring.unseal(sealed, ring.name, of, 'answer')).toEqual(text)
  expect(sealed.includes('said')).toBe(false)
  expect(ring.seal(text, of, 'answer')).not.toEqual(sealed)
  const others = [
    () => ring.unseal(sealed, ring.name, { ...of, accountId: 'acct_2' }, 'answer'),
    () => ring.unseal(sealed, ring.name, { ...of, id: 'resp_req_2' }, 'answer'),
    () => ring.unseal(sealed, ring.name, of, 'input'),
    () => ring.unseal(sealed.subarray(0, 20), ring.name, of, 'answer'),
    () => new KeyRing([young]).unseal(sealed, new KeyRing([young]).name, of, 'answer'),
  ]
  for (const unseal of others) expect(unseal).toThrow()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => ring.unseal(changed, ring.name, of, 'answer')).toThrow()
  }
})

test('a new key seals, and the old key still opens', () => {
  const before = new KeyRing([old])
  const sealed = before.seal(text, of, 'input')
  const after = new KeyRing([young, old])
  expect(after.unseal(sealed, before.name, of, 'input')).toEqual(text)
  expect(after.name).not.toBe(before.name)
  expect(() => new KeyRing([young]).unseal(sealed, before.name, of, 'input')).toThrow(/encryption_keys/)
})
