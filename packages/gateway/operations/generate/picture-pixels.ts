/** Of a JPEG, whose size stands behind what a camera wrote of the picture. */
const mostCharacters = 256 * 1024
const headCharacters = 64

/**
 * How many pixels a picture has, by its head; undefined where that does not tell.
 * @param data base64
 */
export function picturePixels(data: string): number | undefined {
  const head = Buffer.from(data.slice(0, headCharacters), 'base64')
  if (head.length < 30) return undefined
  if (head.readUInt32BE(0) === 0x89504e47) return head.readUInt32BE(16) * head.readUInt32BE(20)
  const kind = head.toString('latin1', 0, 4)
  if (kind === 'GIF8') return head.readUInt16LE(6) * head.readUInt16LE(8)
  if (kind === 'RIFF') return webpPixels(head)
  if (head.readUInt16BE(0) === 0xffd8) return jpegPixels(Buffer.from(data.slice(0, mostCharacters), 'base64'))
  return undefined
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpPixels(head: Buffer): number | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return (head.readUInt16LE(26) & 0x3fff) * (head.readUInt16LE(28) & 0x3fff)
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1)
    }
    case 'VP8X':
      return (head.readUIntLE(24, 3) + 1) * (head.readUIntLE(27, 3) + 1)
    default:
      return undefined
  }
}

/** Markers of a frame, which holds the size: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, table B.1. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function jpegPixels(bytes: Buffer): number | undefined {
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    if (isFrame(bytes[at + 1]!)) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7)
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
