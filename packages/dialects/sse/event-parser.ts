import type { SseListener } from './parser.ts'

/**
 * Splits the bytes of a streamed answer into events as they arrive: server-sent events (`SseParser`), or
 * another framing that a vendor uses instead.
 */
export interface EventParser {
  /** True if the current event is known to be ASCII, so that latin1 and UTF-8 are the same. */
  readonly plain: boolean
  /** @throws {Error} the bytes are not events, or an event is too large */
  pushBytes(chunk: Buffer): void
  /** Returns whether the stream ended within an event. */
  end(): { truncated: boolean }
}

/** Creates the parser of one answer. It passes each event to this listener, in latin1. */
export type OpenEvents = (listener: SseListener) => EventParser
