import { expect, test } from 'vitest'
import { beginningOf, blobMark } from './blobs.ts'
import { readJson } from './truncated-json.ts'

const mebibyte = 1024 * 1024
const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64')

test('long base64 is replaced by its size, and nothing else is', () => {
  expect(blobMark(`data:image/png;base64,${base64(3_000)}`)).toBe(
    'data:image/png;base64,[3000 bytes left out]',
  )
  expect(blobMark(base64(3_000))).toBe('[3000 bytes of base64 left out]')
  for (const text of [base64(900), 'word '.repeat(1_000), `${base64(3_000)} and more`, 'ü'.repeat(3_000)])
    expect(blobMark(text)).toBeUndefined()
})

test('the text next to an image is kept, however large the image is', () => {
  const picture = `data:image/png;base64,${base64(30 * mebibyte)}`
  const body = {
    messages: [{ content: 'before' }, { image_url: { url: picture } }, { content: 'a\\"b\\\\' }, 'end'],
  }
  const { bytes, cut } = beginningOf(Buffer.from(JSON.stringify(body)), 4_096)
  expect(cut).toBe(false)
  expect(bytes.length).toBeLessThan(500)
  expect(bytes.buffer.byteLength).toBe(bytes.length)
  body.messages[1] = { image_url: { url: `data:image/png;base64,[${30 * mebibyte} bytes left out]` } }
  expect(readJson(bytes.toString())).toEqual(body)
})

test('190 MiB of text are truncated at once', () => {
  const body = Buffer.alloc(190 * mebibyte, 'word ')
  body.write('{"a":"', 0, 'latin1')
  body.write('"}', body.length - 2, 'latin1')
  const { bytes, cut } = beginningOf(body, 4 * mebibyte)
  expect([bytes.length, bytes.buffer.byteLength, cut]).toEqual([4 * mebibyte, 4 * mebibyte, true])
})

test.each([0, 1, 5, 9, 10, 11, 30, 5_000])('exactly the first %d bytes of a long text are kept', (most) => {
  for (const text of ['{"a":"\\\\\\"","b":"c', 'x'.repeat(9), `["${base64(4_000)}"]`, '"'.repeat(40)]) {
    const { bytes, cut } = beginningOf(Buffer.from(text), most)
    expect(bytes.length).toBeLessThanOrEqual(Math.max(most, 60))
    if (!cut && !text.includes('BwcH')) expect(bytes.toString()).toBe(text)
  }
})
