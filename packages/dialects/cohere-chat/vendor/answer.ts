import type { StreamPart } from '@turnpike/protocol'
import { CohereDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of an equivalent stream. */
export function decodeResponse(body: unknown): StreamPart[] {
  return new CohereDecoder().pushWhole(body)
}
