import { isAscii } from 'node:buffer'
import type { EventParser } from '../sse/event-parser.ts'
import { asBytes, type SseListener } from '../sse/parser.ts'
import { decodeFrame, type Frame } from './codec.ts'
import { BrokenFrame, FrameCutter } from './frames.ts'

/** Prefix of the event type of an error: `exception/throttlingException`. Other types contain no slash. */
export const exceptionMark = 'exception/'

/** Parses a stream of AWS events. Each payload is JSON; the type is in the headers. */
export class EventStreamParser implements EventParser {
  readonly #listener: SseListener
  readonly #cutter = new FrameCutter((frame) => this.#read(frame))
  #plain = true

  constructor(listener: SseListener) {
    this.#listener = listener
  }

  get plain(): boolean {
    return this.#plain
  }

  /** @throws {BrokenFrame} the bytes are not frames, or a frame is too large */
  pushBytes(chunk: Buffer): void {
    this.#cutter.push(chunk)
  }

  end(): { truncated: boolean } {
    return { truncated: this.#cutter.isWithinFrame }
  }

  #read(bytes: Buffer): void {
    const { headers, body } = decodeOrThrow(bytes)
    const payload = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    this.#plain = isAscii(payload)
    switch (textOf(headers[':message-type'])) {
      case 'exception':
        return this.#deliver(payload, exceptionMark + (textOf(headers[':exception-type']) ?? ''))
      case 'error': {
        // An error without a type of its own has everything in its headers.
        const message = textOf(headers[':error-message']) ?? ''
        const type = exceptionMark + (textOf(headers[':error-code']) ?? '')
        this.#plain = false
        return this.#listener.onEvent(asBytes(JSON.stringify({ message })), type)
      }
      default:
        return this.#deliver(payload, textOf(headers[':event-type']) ?? '')
    }
  }

  #deliver(payload: Buffer, type: string): void {
    this.#listener.onEvent(payload.toString('latin1'), type)
  }
}

function decodeOrThrow(bytes: Buffer): Frame {
  try {
    return decodeFrame(bytes)
  } catch (cause) {
    throw new BrokenFrame('a frame cannot be read', { cause })
  }
}

function textOf(header: Frame['headers'][string] | undefined): string | undefined {
  return header?.type === 'string' ? header.value : undefined
}
