import { crc32 } from 'node:zlib'

/**
 * What one append writes: a head, then its rows as lines of text. An incomplete frame counts as not written,
 * so the rows of one append are kept together or not at all. Head, little-endian: magic, bytes of the rows,
 * number of rows, CRC-32 of the rows (as in RFC 1952).
 */
const frameHeadBytes = 16

/** "TPO1" */
const magic = 0x314f5054
const magicBytes = Buffer.from('TPO1')

/** UTF-8 takes at most three bytes per UTF-16 unit. */
const maxBytesPerUnit = 3
const lineEnd = 0x0a

/** Writes frames into its own memory, which grows to the largest one. */
export class FrameWriter {
  #memory = Buffer.allocUnsafe(64 * 1024)

  /** The frame of these lines. Valid until the next call. */
  frame(lines: readonly string[]): Buffer {
    let most = frameHeadBytes
    for (const line of lines) most += line.length * maxBytesPerUnit + 1
    if (most > this.#memory.length) this.#memory = Buffer.allocUnsafe(most * 2)
    const memory = this.#memory
    let end = frameHeadBytes
    for (const line of lines) {
      end += memory.write(line, end, 'utf8')
      memory[end++] = lineEnd
    }
    memory.writeUInt32LE(magic, 0)
    memory.writeUInt32LE(end - frameHeadBytes, 4)
    memory.writeUInt32LE(lines.length, 8)
    memory.writeUInt32LE(crc32(memory.subarray(frameHeadBytes, end)), 12)
    return memory.subarray(0, end)
  }
}

/** The frames at the beginning of a buffer. */
export interface WholeFrames {
  /** The rows of each frame, one row per line. */
  pieces: Buffer[]
  rows: number
  /** Including the heads. */
  bytes: number
}

/** The rows of frames, in memory of their own that may be transferred to another thread. */
export function joinRows({ pieces }: WholeFrames): Uint8Array<ArrayBuffer> {
  const lines = new Uint8Array(pieces.reduce((bytes, piece) => bytes + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    lines.set(piece, offset)
    offset += piece.length
  }
  return lines
}

/** The undamaged frames from the first byte on, up to this many rows or the first damage. */
export function wholeFrames(bytes: Buffer, atLeastRows: number): WholeFrames {
  const frames: WholeFrames = { pieces: [], rows: 0, bytes: 0 }
  while (frames.rows < atLeastRows) {
    const end = endOfFrame(bytes, frames.bytes)
    if (end === undefined) break
    const lines = bytes.subarray(frames.bytes + frameHeadBytes, end)
    frames.pieces.push(lines)
    // The head has their number too, but the checksum covers the rows only.
    frames.rows += countLines(lines)
    frames.bytes = end
  }
  return frames
}

/** The offset of the next whole frame at or after `from`; the length of the buffer if there is none. */
export function nextFrame(bytes: Buffer, from: number): number {
  for (let start = bytes.indexOf(magicBytes, from); start >= 0; start = bytes.indexOf(magicBytes, start + 1))
    if (endOfFrame(bytes, start) !== undefined) return start
  return bytes.length
}

function endOfFrame(bytes: Buffer, start: number): number | undefined {
  const rowsStart = start + frameHeadBytes
  if (rowsStart > bytes.length || bytes.readUInt32LE(start) !== magic) return undefined
  const end = rowsStart + bytes.readUInt32LE(start + 4)
  if (end > bytes.length) return undefined
  return crc32(bytes.subarray(rowsStart, end)) === bytes.readUInt32LE(start + 12) ? end : undefined
}

/** A row is one line of JSON, without line ends. */
function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) count++
  return count
}
