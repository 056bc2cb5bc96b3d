import type { StreamPart } from '@turnpike/protocol'
import { ResponsesDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of a stream that says it. */
export function decodeResponse(body: unknown): StreamPart[] {
  return new ResponsesDecoder().pushWhole(body)
}
