import { expect, it } from 'vitest'
import { pictureHead, type PictureHead } from './picture-head.ts'

const bytes = (...parts: (number[] | string | number)[]): string =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'number' ? Buffer.alloc(part) : Buffer.from(part as string, 'latin1'),
    ),
  ).toString('base64')
const jpegHead = [0xff, 0xd8, 0xff, 0xe1, 0x01, 0x00]
const frame = [0xff, 0xc2, 0, 17, 8, 0x03, 0xe8, 0x07, 0xd0]

const size = (width: number, height: number) => ({ width, height })
const picture = (kind: string, ofSize?: { width: number; height: number }): PictureHead =>
  ({ mediaType: `image/${kind}`, size: ofSize }) as PictureHead

it.each<[string, string, PictureHead | undefined]>([
  [
    'a PNG',
    bytes([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10], 8, [0, 0, 0x07, 0xd0, 0, 0, 0x03, 0xe8], 20),
    picture('png', size(2_000, 1_000)),
  ],
  ['a GIF', bytes('GIF89a', [0x40, 0x01, 0xf0, 0x00], 40), picture('gif', size(320, 240))],
  [
    'a JPEG behind what a camera wrote',
    bytes(jpegHead, 0xfe, frame, 40),
    picture('jpeg', size(2_000, 1_000)),
  ],
  [
    'a JPEG behind a long profile',
    bytes(jpegHead.slice(0, 4), [0xff, 0xf0], 0xffee, frame, 40),
    picture('jpeg', size(2_000, 1_000)),
  ],
  ['a JPEG that ends before it says', bytes(jpegHead, 40), picture('jpeg')],
  ['a WebP', bytes('RIFF', 4, 'WEBPVP8 ', 10, [0x40, 0x01, 0xf0, 0x00], 10), picture('webp', size(320, 240))],
  [
    'a WebP without loss',
    bytes('RIFF', 4, 'WEBPVP8L', 4, [0x2f, 0x3f, 0xc1, 0x3b, 0x00], 10),
    picture('webp', size(320, 240)),
  ],
  [
    'an extended WebP',
    bytes('RIFF', 4, 'WEBPVP8X', 8, [0x3f, 0x01, 0x00, 0xef, 0x00, 0x00], 10),
    picture('webp', size(320, 240)),
  ],
  ['no picture', bytes('no picture at all, but a text that is long enough'), undefined],
  ['nothing', '', undefined],
])('%s', (_what, data, head) => {
  expect(pictureHead(data)).toEqual(head)
})
