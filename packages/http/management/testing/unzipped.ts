import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a ZIP by name, according to its directory at the end. */
export function unzipped(zip: Buffer): Map<string, string> {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== 0x0605_4b50) throw new Error('the ZIP does not end where one ends')
  const files = new Map<string, string>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, unpacked] = [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset))
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = inflateRawSync(zip.subarray(start, start + packed!))
    if (content.length !== unpacked || crc32(content) !== crc) throw new Error(`${name} is damaged`)
    files.set(name, content.toString())
    at += 46 + nameLength + zip.readUInt16LE(at + 30)
  }
  return files
}
