import type { StreamPart } from '@turnpike/protocol'
import type { CompletionContext } from '../completion-context.ts'
import { CompletionsDecoder } from './stream.ts'

/** The parts of a whole answer, the same as those of a stream, for `fold` to assemble. */
export function decodeResponse(body: unknown, asked?: object): StreamPart[] {
  const decoder = new CompletionsDecoder(asked as CompletionContext | undefined, true)
  const parts = decoder.push(body)
  decoder.pushText('[DONE]')
  return parts.concat(decoder.end())
}
