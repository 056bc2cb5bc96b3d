import { expect, it } from 'vitest'
import { audioSeconds, videoSeconds } from './recording-seconds.ts'

function wave(bytesPerSample: number, codec = 1, samples = 80_000): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.write('WAVEfmt ', 8)
  head.writeUInt16LE(codec, 20)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt16LE(bytesPerSample, 32)
  return Buffer.concat([head, Buffer.alloc(samples * bytesPerSample)])
}

/** MPEG-2, Layer III: 8 kilobits and 16,000 samples a second. */
function frames(count: number): Buffer {
  const frame = Buffer.alloc(36)
  frame.writeUInt32BE(0xfff31800)
  return Buffer.concat(Array.from({ length: count }, () => frame))
}

/** MPEG-1, Layer III: 128 kilobits and 44,100 samples a second. */
function dense(count: number): Buffer {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xfffb9000)
  return Buffer.concat(Array.from({ length: count }, () => frame))
}

const tag = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 0]), Buffer.alloc(128)])

it.each<[string, Buffer, number]>([
  ['uncompressed samples', wave(2), 10],
  ['samples of few bits', wave(1), 10],
  ['compressed samples', wave(2, 17), 160],
  ['frames of an MP3', dense(1_000), 26.1],
  ['slow frames', frames(1_000), 36],
  ['slow frames after fast ones', Buffer.concat([dense(100), frames(1_000)]), 38.6],
  ['frames after a tag', Buffer.concat([tag, frames(1_000)]), 36],
  ['frames before other bytes', Buffer.concat([frames(1_000), Buffer.alloc(5_000)]), 41],
  ['an unknown format', Buffer.alloc(7_000), 7],
  ['an empty file', Buffer.alloc(0), 0],
])('the seconds of a recording: %s', (_what, bytes, seconds) => {
  expect(audioSeconds(bytes)).toBeCloseTo(seconds, 0)
})

it('a video whose header is truncated or has no duration is 0 seconds long', () => {
  for (const bytes of [
    Buffer.from('mvhd'),
    Buffer.alloc(0),
    Buffer.concat([Buffer.from('mvhd'), Buffer.alloc(40)]),
  ])
    expect(videoSeconds(bytes)).toBe(0)
  const long = Buffer.alloc(64)
  long.write('mvhd')
  long[4] = 1
  long.writeUInt32BE(600, 24)
  long.writeBigUInt64BE(6_000n, 28)
  expect(videoSeconds(long)).toBe(10)
})
