import type { StreamPart } from '@turnpike/protocol'
import { MessagesDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of an equivalent stream. */
export function decodeResponse(body: unknown): StreamPart[] {
  const decoder = new MessagesDecoder()
  return isMessage(body) ? decoder.pushWhole(body) : decoder.push(body, '')
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
