import type { EventStreamCodec } from '@smithy/eventstream-codec'

/*
 * AWS's own codec reads one whole frame. It is loaded where a provider needs it: that takes some 50 ms and 14
 * MB, which no other start has to pay.
 */

let codec: EventStreamCodec | undefined

/** Before the first stream is read. */
export async function loadEventStream(): Promise<void> {
  const { EventStreamCodec: Codec } = await import('@smithy/eventstream-codec')
  codec ??= new Codec(toText, toBytes)
}

/** One frame, as AWS's codec reads it. */
export type Frame = ReturnType<EventStreamCodec['decode']>

/**
 * @param frame a whole one
 * @throws {Error} a checksum is wrong, or the headers are none
 */
export function decodeFrame(frame: Buffer): Frame {
  if (codec === undefined) throw new Error('an AWS event stream is read before its codec is loaded')
  return codec.decode(frame)
}

function toText(bytes: Uint8Array | string): string {
  if (typeof bytes === 'string') return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}
