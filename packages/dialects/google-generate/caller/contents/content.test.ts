import { expect, test } from 'vitest'
import { parsePart } from './content.ts'

const film = { inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }

test.each([
  [undefined, 'document'],
  [{}, 'document'],
  [{ fps: null }, 'document'],
  [{ fps: 0.5, startOffset: '3s' }, 'document'],
  [{ fps: 1 }, 'document'],
  [{ fps: 24 }, 'raw'],
  [{ fps: '24' }, 'raw'],
])('a video that is viewed as %j is a block of the kind %s', (videoMetadata, kind) => {
  expect(parsePart({ ...film, videoMetadata }, 'contents[0].parts[0]')).toMatchObject({ kind })
})

test('converts URL-safe base64 to the standard form that all vendors read', () => {
  const part = { inlineData: { mimeType: 'image/png', data: 'mNk-M9_Q==' } }
  expect(parsePart(part, 'p')).toMatchObject({ source: { type: 'base64', data: 'mNk+M9/Q==' } })
})
