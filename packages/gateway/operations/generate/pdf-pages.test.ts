import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pdfPages } from './pdf-pages.ts'

const base64 = (...parts: (string | Buffer)[]): string =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  ).toString('base64')
const pages = (number: number): string => '3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n'.repeat(number)
const tree = (count: number): string => `2 0 obj\n<</Type/Pages/Kids[3 0 R 3 0 R]/Count ${count}>>\nendobj\n`
const packed = (text: string): Buffer[] => [
  Buffer.from('9 0 obj\n<< /Type /ObjStm /Filter /FlateDecode >>\nstream\r\n'),
  deflateSync(Buffer.from(text)),
  Buffer.from('\nendstream\nendobj\n'),
]

it.each<[string, string, number | undefined]>([
  ['each of its pages', base64('%PDF-1.4\n', tree(7), pages(7)), 7],
  ['as many pages as its tree counts', base64('%PDF-1.4\n', tree(500), pages(1)), 500],
  ['pages without a count', base64('%PDF-1.4\n', pages(3)), 3],
  ['compressed pages', base64('%PDF-1.7\n', ...packed(tree(40) + pages(40))), 40],
  ['pages in separate streams', base64('%PDF-1.7\n', ...packed(pages(5)), ...packed(pages(6))), 11],
  ['no readable pages', base64('%PDF-1.7\n', 'ObjStm /ObjStm stream\nnot packed at all'), 0],
  ['undefined pages if it is no PDF', base64('word '.repeat(100)), undefined],
  ['undefined pages if it is empty', '', undefined],
  ['a header after other bytes', base64('\n'.repeat(900), '%PDF-1.4\n', pages(2)), 2],
])('a PDF has %s', (_what, data, expected) => {
  expect(pdfPages(data)).toBe(expected)
})

it('looks at only this much of a PDF', () => {
  const bomb = packed('x'.repeat(64 * 1024 * 1024))
  expect(
    pdfPages(base64('%PDF-1.7\n', ...bomb, ...Array.from({ length: 200 }, () => packed(pages(1))).flat())),
  ).toBe(63)
})
