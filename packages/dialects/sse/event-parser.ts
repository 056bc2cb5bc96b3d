import type { SseListener } from './parser.ts'

/**
 * Cuts the bytes of a streamed answer into its events, as they arrive: server-sent events (`SseParser`), or
 * the frames that a vendor has in their place.
 */
export interface EventParser {
  /** True where the event at hand is ASCII for sure: then latin1 and UTF-8 are the same. */
  readonly plain: boolean
  /** @throws {Error} these are no events, or one is larger than any vendor's */
  pushBytes(chunk: Buffer): void
  /** Tells whether the stream ended within an event. */
  end(): { truncated: boolean }
}

/** Makes the parser of one answer, which tells this listener each event in latin1. */
export type OpenEvents = (listener: SseListener) => EventParser
