import type { EmbedRequest } from '@turnpike/protocol'
import { tokenCount } from '../../answers/token-count.ts'
import { decode as decodeCohere } from '../../cohere-embed/vendor/answer.ts'
import type { Embeddings } from '../../embeddings/answer.ts'
import type { AnswerHeaders } from '../../vendor.ts'

/** The header with the input tokens of a request, for every model at Bedrock. */
const counted = 'x-amzn-bedrock-input-token-count'

/**
 * Decodes Cohere's own answer, whose tokens are only in a header.
 * @throws {GatewayError} the error that the body holds; 502 if it is not an answer
 */
export function decode(body: Buffer, _request: EmbedRequest, headers: AnswerHeaders = {}): Embeddings {
  const { vectors, usage } = decodeCohere(body)
  const raw = headers[counted]
  const inputTokens = tokenCount(raw)
  const countedUsage = inputTokens === undefined ? undefined : { inputTokens, raw: { [counted]: raw } }
  return { vectors, usage: usage ?? countedUsage }
}
