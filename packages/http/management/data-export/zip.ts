import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/*
 * Writes a ZIP sequentially (APPNOTE 6.3.10, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT):
 * sizes and checksums that are known only after a file's content are written behind it, and again at the end.
 * Each file is below 4 GB; if the whole is not, the end uses ZIP64 records.
 */

export interface ZipEntry {
  /** ASCII, without directories. */
  name: string
  content: AsyncIterable<Buffer>
}

/** Runs in another thread; each piece ends at a byte boundary, so pieces can be concatenated. */
const deflate = promisify(deflateRaw)
const piece = { finishFlush: constants.Z_SYNC_FLUSH }
/** An empty last block. */
const endOfContent = Buffer.from([3, 0])

const versionNeeded = 45
const deflated = 8
/** The sizes follow the content; names are UTF-8. */
const flags = 0x0808
const limit32 = 0xffff_ffff
const limit16 = 0xffff

interface Written {
  name: Buffer
  crc: number
  packed: number
  unpacked: number
  offset: number
}

/** @param startsAt where in its file the ZIP begins: the directory counts from the file's first byte */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry>,
  modifiedMs: number,
  startsAt = 0,
): AsyncGenerator<Buffer> {
  const stamp = dosTime(new Date(modifiedMs))
  const written: Written[] = []
  let offset = startsAt
  for await (const { name, content } of entries) {
    const entry: Written = { name: Buffer.from(name), crc: 0, packed: 0, unpacked: 0, offset }
    const head = numbers([4, 0x0403_4b50], [2, versionNeeded], ...common(stamp, entry), [2, 0])
    yield Buffer.concat([head, entry.name])
    for await (const chunk of content) {
      entry.crc = crc32(chunk, entry.crc)
      entry.unpacked += chunk.length
      const packed = await deflate(chunk, piece)
      entry.packed += packed.length
      yield packed
    }
    entry.packed += endOfContent.length
    if (Math.max(entry.packed, entry.unpacked) > limit32) throw new RangeError(`${name} is too large`)
    const foot = numbers([4, 0x0807_4b50], [4, entry.crc], [4, entry.packed], [4, entry.unpacked])
    yield Buffer.concat([endOfContent, foot])
    offset += head.length + entry.name.length + entry.packed + foot.length
    written.push(entry)
  }
  yield* directory(written, offset, stamp)
}

/** The fields that both headers of a file share; only the second header knows the sizes. */
function common(stamp: Stamp, entry: Written): Field[] {
  return [
    [2, flags],
    [2, deflated],
    [2, stamp.time],
    [2, stamp.date],
    [4, entry.crc],
    [4, entry.packed],
    [4, entry.unpacked],
    [2, entry.name.length],
  ]
}

function* directory(written: readonly Written[], offset: number, stamp: Stamp): Generator<Buffer> {
  let length = 0
  for (const entry of written) {
    const isFar = entry.offset >= limit32
    const extra = isFar ? numbers([2, 1], [2, 8], [8, entry.offset]) : Buffer.alloc(0)
    const head = numbers(
      [4, 0x0201_4b50],
      [2, versionNeeded],
      [2, versionNeeded],
      ...common(stamp, entry),
      [2, extra.length],
      // No comment, the first disk, no attributes.
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, isFar ? limit32 : entry.offset],
    )
    const row = Buffer.concat([head, entry.name, extra])
    length += row.length
    yield row
  }
  const count = written.length
  if (offset + length >= limit32 || count >= limit16) yield farEnd(count, length, offset)
  const [files, size] = [Math.min(count, limit16), Math.min(length, limit32)]
  const where = Math.min(offset, limit32)
  yield numbers([4, 0x0605_4b50], [2, 0], [2, 0], [2, files], [2, files], [4, size], [4, where], [2, 0])
}

function farEnd(count: number, length: number, offset: number): Buffer {
  const sizeOfRest = 44
  return numbers(
    [4, 0x0606_4b50],
    [8, sizeOfRest],
    [2, versionNeeded],
    [2, versionNeeded],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, length],
    [8, offset],
    // The position of this record, and the number of disks.
    [4, 0x0706_4b50],
    [4, 0],
    [8, offset + length],
    [4, 1],
  )
}

type Field = readonly [bytes: 2 | 4 | 8, value: number]

function numbers(...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

interface Stamp {
  time: number
  date: number
}

/** A resolution of two seconds, from 1980 on. */
function dosTime(at: Date): Stamp {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}
