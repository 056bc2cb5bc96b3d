import type { EventStreamCodec } from '@smithy/eventstream-codec'

/* AWS's codec for one complete frame. Loaded only if a provider needs it: that takes 50 ms and 14 MB. */

let codec: EventStreamCodec | undefined

/** Must be called before the first stream is read. */
export async function loadEventStream(): Promise<void> {
  const { EventStreamCodec: Codec } = await import('@smithy/eventstream-codec')
  codec ??= new Codec(toText, toBytes)
}

/** A frame as AWS's codec returns it. */
export type Frame = ReturnType<EventStreamCodec['decode']>

/**
 * @param frame a complete frame
 * @throws {Error} a checksum or the headers are invalid
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
