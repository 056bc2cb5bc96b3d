import { randomBytes } from 'node:crypto'
import type { SealedVendorKey } from '@turnpike/identity'
import { describe, expect, it, test } from 'vitest'
import { resolveConfiguration } from '../configuration/resolve/resolve.ts'
import { openOwnKeys } from './open-own-keys.ts'
import { SealedVendorKeys } from './sealed-vendor-keys.ts'

const [old, young] = [randomBytes(32), randomBytes(32)]
const secret = 'sk-vendor-0123456789abcdef-aB3d'
const of = { id: 'vky_1', accountId: 'acct_1' }

function sealedBy(sealing: SealedVendorKeys): SealedVendorKey {
  const common = { provider: 'openai', name: 'prod', last4: 'aB3d', allowsShared: true, version: 1 }
  return { ...of, ...common, ...sealing.seal(secret, of) }
}

describe('a sealed key', () => {
  const key = sealedBy(new SealedVendorKeys([old]))

  it('can be opened by a ring that contains its sealing key, at any position', () => {
    for (const ring of [[old], [young, old], [old, young]])
      expect(new SealedVendorKeys(ring).open(key)).toBe(secret)
    expect(() => new SealedVendorKeys([young]).open(key)).toThrow('byok.encryption_keys')
  })

  it('cannot be opened for another account or row, or after any change', () => {
    const ring = new SealedVendorKeys([old])
    expect(() => ring.open({ ...key, accountId: 'acct_2' })).toThrow()
    expect(() => ring.open({ ...key, id: 'vky_2' })).toThrow()
    for (let bit = 0; bit < key.sealed.length * 8; bit++) {
      const flipped = Buffer.from(key.sealed)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => ring.open({ ...key, sealed: flipped })).toThrow()
    }
    expect(Buffer.from(key.sealed).toString('latin1')).not.toContain('vendor')
    expect(Buffer.from(sealedBy(ring).sealed)).not.toEqual(Buffer.from(key.sealed))
  })
})

test('the configured keys seal and open', () => {
  const keys = [young, old].map((one) => one.toString('base64'))
  const byok = { encryption_keys: keys, fee_percent: '2.5' }
  const configuration = resolveConfiguration({ byok }, { file: null, directory: '/', environment: {} })
  const log = { warn: () => undefined, error: () => undefined, info: () => undefined }
  const own = openOwnKeys(configuration, { storage: { vendorKeys: undefined as never }, log })!
  const { settings } = own.ownKeys
  expect(settings.fee).toBe('0.025')
  expect(settings.open(sealedBy(new SealedVendorKeys([old])))).toBe(secret)
  expect(own.services.ownKeys.seal(secret, of).keyName).toBe(new SealedVendorKeys([young]).keyName)
  expect(settings.open(sealedBy(new SealedVendorKeys([randomBytes(32)])))).toBeUndefined()
})
