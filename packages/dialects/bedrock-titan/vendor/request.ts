import { invalidRequest, type EmbedRequest } from '@turnpike/protocol'
import { textsOf } from '../../embeddings/texts.ts'

/** @throws {GatewayError} 400 for more than one text, which is all that a call accepts */
export function formatRequest(request: EmbedRequest): Record<string, unknown> {
  const [inputText, ...others] = textsOf(request)
  if (others.length > 0) throw invalidRequest('input', 'input: this vendor accepts one text per request.')
  const { dimensions } = request
  return { inputText, ...(dimensions !== undefined && { dimensions }) }
}
