/** Characters of a JPEG to read, first few, then more: its size follows the camera's metadata. */
const jpegCharacters = [4 * 1024, 256 * 1024]
const headCharacters = 64

/** What the first bytes of an image say about it. */
export interface PictureHead {
  mediaType: 'image/png' | 'image/gif' | 'image/webp' | 'image/jpeg'
  /** In pixels; undefined if the head does not tell. */
  size: PictureSize | undefined
}

export interface PictureSize {
  width: number
  height: number
}

/**
 * The type and size of an image, from its first bytes. Undefined if it is none of the four types that models
 * read.
 * @param data base64
 */
export function pictureHead(data: string): PictureHead | undefined {
  const head = Buffer.from(data.slice(0, headCharacters), 'base64')
  if (head.length < 30) return undefined
  if (head.readUInt32BE(0) === 0x89504e47) {
    const size = { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    return { mediaType: 'image/png', size }
  }
  const kind = head.toString('latin1', 0, 4)
  if (kind === 'GIF8') {
    const size = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
    return { mediaType: 'image/gif', size }
  }
  if (kind === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
    return { mediaType: 'image/webp', size: webpSize(head) }
  if (head.readUInt32BE(0) >>> 8 === 0xffd8ff) return { mediaType: 'image/jpeg', size: jpegSize(data) }
  return undefined
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(head: Buffer): PictureSize | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Frame markers; a frame holds the size: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, table B.1 */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function jpegSize(data: string): PictureSize | undefined {
  for (const characters of jpegCharacters) {
    const size = frameSize(Buffer.from(data.slice(0, characters), 'base64'))
    if (size !== undefined || data.length <= characters) return size
  }
  return undefined
}

function frameSize(bytes: Buffer): PictureSize | undefined {
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    if (isFrame(bytes[at + 1]!))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
