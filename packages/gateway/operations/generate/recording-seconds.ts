/** No speech format needs fewer bytes a second: this rate is assumed for recordings that cannot be parsed. */
const leastBytesPerSecond = 1_000

/** How long a recording is according to its bytes; otherwise the longest that its size allows. */
export function audioSeconds(bytes: Buffer): number {
  return waveSeconds(bytes) ?? mp3Seconds(bytes)
}

/** Uncompressed samples: PCM, floating point, and the extensible header for either. */
const plainCodecs: ReadonlySet<number> = new Set([1, 3, 0xfffe])
const waveHeadBytes = 4_096
const waveFormatBytes = 24

/** The length of an uncompressed WAVE file, otherwise undefined (RFC 2361, and Microsoft's RIFF). */
function waveSeconds(bytes: Buffer): number | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  const at = bytes.subarray(0, waveHeadBytes).indexOf('fmt ')
  if (at === -1 || at + waveFormatBytes > bytes.length) return undefined
  if (!plainCodecs.has(bytes.readUInt16LE(at + 8))) return undefined
  const bytesPerSecond = bytes.readUInt32LE(at + 12) * bytes.readUInt16LE(at + 20)
  return bytesPerSecond === 0 ? undefined : bytes.length / bytesPerSecond
}

/**
 * Tables of the frame header (ISO/IEC 11172-3 and 13818-3, Layer III): kilobits a second, samples a second.
 */
const firstRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const furtherRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const sampleRates = [44_100, 48_000, 32_000]
const versions: Readonly<Record<number, { rates: readonly number[]; slower: number; samples: number }>> = {
  0: { rates: furtherRates, slower: 4, samples: 576 },
  2: { rates: furtherRates, slower: 2, samples: 576 },
  3: { rates: firstRates, slower: 1, samples: 1_152 },
}

/** Adds up the frames of an MP3; anything between them may be speech in another format. */
function mp3Seconds(bytes: Buffer): number {
  let seconds = 0
  let at = tagBytes(bytes)
  while (at + 4 <= bytes.length) {
    const frame = frameAt(bytes, at)
    if (frame === undefined) break
    seconds += frame.seconds
    at += frame.bytes
  }
  return seconds + Math.max(0, bytes.length - at) / leastBytesPerSecond
}

/** The size of the tag before the first frame: https://id3.org/id3v2.4.0-structure. */
function tagBytes(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return 0
  let size = 0
  for (let at = 6; at < 10; at++) size = size * 128 + (bytes[at]! & 0x7f)
  return 10 + size
}

function frameAt(bytes: Buffer, at: number): { seconds: number; bytes: number } | undefined {
  const head = bytes.readUInt32BE(at)
  const version = versions[(head >>> 19) & 3]
  const isLayer3 = ((head >>> 17) & 3) === 1
  if (head >>> 21 !== 0x7ff || version === undefined || !isLayer3) return undefined
  const kilobits = version.rates[(head >>> 12) & 15] ?? 0
  const rate = (sampleRates[(head >>> 10) & 3] ?? 0) / version.slower
  if (kilobits === 0 || rate === 0) return undefined
  const padding = (head >>> 9) & 1
  return {
    seconds: version.samples / rate,
    bytes: Math.floor((version.samples / 8) * ((kilobits * 1_000) / rate)) + padding,
  }
}

/** A video's length by its header; 0 if absent (ISO/IEC 14496-12, section 8.2.2: MP4, QuickTime). */
export function videoSeconds(bytes: Buffer): number {
  const at = bytes.indexOf('mvhd')
  const isLong = at !== -1 && bytes[at + 4] === 1
  const scaleAt = at + (isLong ? 24 : 16)
  if (at === -1 || scaleAt + 12 > bytes.length) return 0
  const scale = bytes.readUInt32BE(scaleAt)
  const duration = isLong ? Number(bytes.readBigUInt64BE(scaleAt + 4)) : bytes.readUInt32BE(scaleAt + 4)
  return scale === 0 ? 0 : duration / scale
}
