import type { ReferencedValue } from '@turnpike/dialects'
import { describe, expect, it } from 'vitest'
import { isAllowed, refuseReferences } from './allowed-references.ts'

describe('a reference is allowed by its prefix', () => {
  it.each([
    ['gs://bucket/a/b.png', 'gs://bucket'],
    ['gs://bucket/a/b.png', 'gs://bucket/'],
    ['gs://bucket', 'gs://bucket'],
    ['file-abc', 'file-'],
    ['files/abc-1', 'files/'],
    ['cachedContents/1', 'cachedContents/1'],
    ['http://10.0.0.1/a.png', 'http://10.0.0.1/'],
    ['gs://bucket/a..b.png', 'gs://bucket/'],
    ['anything at all', '*'],
  ])('%s by %s', (value, prefix) => expect(isAllowed(value, [prefix])).toBe(true))

  it.each([
    ['gs://bucket-evil/a', 'gs://bucket'],
    ['gs://bucket.evil/a', 'gs://bucket'],
    ['gs://bucket/../other/a', 'gs://bucket/'],
    ['gs://bucket/a/..', 'gs://bucket/'],
    ['gs://bucket/./a', 'gs://bucket/'],
    ['gs://bucket/%2e%2e/other', 'gs://bucket/'],
    ['gs://bucket/..%2Fother', 'gs://bucket/'],
    ['gs://bucket/%252e%252e/other', 'gs://bucket/'],
    ['gs://bucket/..\\other', 'gs://bucket/'],
    ['gs://bucket//other', 'gs://bucket/'],
    ['gs://bucket/a\u0000', 'gs://bucket/'],
    ['GS://bucket/a', 'gs://bucket/'],
    ['gs://Bucket/a', 'gs://bucket/'],
    [' gs://bucket/a', 'gs://bucket/'],
    ['gs://user@bucket/a', 'gs://'],
    ['file-abcd', 'file-abc'],
    ['http://10.0.0.1:81/', 'http://10.0.0.1'],
    ['http://10.0.0.1@evil.example/', 'http://10.0.0.1'],
    ['', 'file-'],
    ['file-1', ''],
  ])('not %s by %s', (value, prefix) => expect(isAllowed(value, [prefix].filter(Boolean))).toBe(false))
})

describe('addresses that a vendor would fetch', () => {
  const reads = { readsAddress: () => true }
  const refused = (value: string, allowedReferences: string[] = [], vendorFormat = reads): boolean => {
    const referred: ReferencedValue = { references: [], addresses: [{ param: 'p', value }] }
    try {
      refuseReferences(referred, { allowedReferences }, vendorFormat)
      return false
    } catch (error) {
      expect(error).toMatchObject({ status: 400, param: 'p' })
      return true
    }
  }

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:8000/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fd00::1]/',
    'http://１２７.０.０.１/',
    'http://10.1.2.3/x.png',
    'http://192.168.0.1',
    'http://100.64.0.1/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://vllm:8000/',
    'http://metadata.google.internal/',
    'https://db.svc.cluster.local/',
    'http://127.0.0.1.nip.io/',
    'http://localtest.me/',
    'http://user:pass@example.com/',
    'http://example.com\\@169.254.169.254/',
    'http:/169.254.169.254/',
    'http:169.254.169.254',
    'http:\\\\169.254.169.254\\',
    ' http://169.254.169.254/',
    'http://exa\tmple.com/',
    'http://[::1',
    '',
  ])('not %j', (address) => expect(refused(address)).toBe(true))

  it.each([
    'https://example.com/a.png',
    'http://8.8.8.8/a',
    'https://a.b.example.org:8443/x?y#z',
    'https://bücher.example/',
  ])('%s', (address) => expect(refused(address)).toBe(false))

  it('can be allowed by the operator', () => {
    expect(refused('http://10.0.0.1/a.png', ['http://10.0.0.1/'])).toBe(false)
    expect(refused('http://10.0.0.2/a.png', ['http://10.0.0.1/'])).toBe(true)
  })

  it('are ignored if the gateway fetches them itself', () => {
    expect(refused('http://10.0.0.1/', [], { readsAddress: () => false })).toBe(false)
  })
})
