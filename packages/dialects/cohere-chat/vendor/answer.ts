import type { StreamPart } from '@turnpike/protocol'
import { CohereDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of a stream that says it. */
export function decodeResponse(body: unknown): StreamPart[] {
  return new CohereDecoder().pushWhole(body)
}
