import type { StreamPart } from '@turnpike/protocol'
import { ChatDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of a stream, for `fold` to assemble. */
export function decodeResponse(body: unknown): StreamPart[] {
  const decoder = new ChatDecoder()
  const parts = decoder.push(body)
  decoder.pushText('[DONE]')
  for (const part of decoder.end()) parts.push(part)
  return parts
}
