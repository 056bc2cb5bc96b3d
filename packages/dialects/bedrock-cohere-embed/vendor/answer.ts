import type { EmbedRequest } from '@turnpike/protocol'
import { tokenCount } from '../../answers/token-count.ts'
import { decode as decodeCohere } from '../../cohere-embed/vendor/answer.ts'
import type { Embeddings } from '../../embeddings/answer.ts'
import type { AnswerHeaders } from '../../vendor.ts'

/** How many tokens AWS read of a request to any of its models. */
const counted = 'x-amzn-bedrock-input-token-count'

/**
 * Cohere's own answer, whose tokens are counted in a header alone.
 * @throws {GatewayError} the error that it holds; 502 where it is no answer
 */
export function decode(body: Buffer, _request: EmbedRequest, headers: AnswerHeaders = {}): Embeddings {
  const { vectors, usage } = decodeCohere(body)
  const raw = headers[counted]
  const inputTokens = tokenCount(raw)
  const told = inputTokens === undefined ? undefined : { inputTokens, raw: { [counted]: raw } }
  return { vectors, usage: usage ?? told }
}
