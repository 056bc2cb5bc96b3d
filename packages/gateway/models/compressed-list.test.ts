import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressList } from './compressed-list.ts'

const list = JSON.stringify(Array.from({ length: 300 }, (_, index) => ({ id: `vendor/m${index}` })))

test('a list is compressed once, and decompresses to the same text', async () => {
  const packed = compressList(list, 'br, gzip;q=0.8')
  expect(gunzipSync((await packed)!).toString()).toBe(list)
  expect((await packed)!.length).toBeLessThan(list.length / 5)
  expect(compressList(list, 'gzip')).toBe(packed)
})

test('only the few most recently used lists are kept', async () => {
  const others = Array.from({ length: 20 }, (_, index) => `${list}${index}`)
  const before = compressList(list, 'gzip')
  for (const other of others) {
    void compressList(other, 'gzip')
    expect(compressList(list, 'gzip')).toBe(before)
  }
  const last = compressList(others[0]!, 'gzip')
  expect(gunzipSync((await last)!).toString()).toBe(others[0])
})

test.each([undefined, '', 'br', 'identity', 'gzip;q=0', 'GZIP ; q=0.000', 'x-gzip-like'])(
  'is not compressed for a caller that accepts "%s"',
  (header) => expect(compressList(list, header)).toBeUndefined(),
)

test('a small list is not compressed', () => expect(compressList('{}', 'gzip')).toBeUndefined())
