import { invalidRequest, type EmbedRequest } from '@turnpike/protocol'
import { textsOf } from '../../embeddings/texts.ts'

/** @throws {GatewayError} 400 where there is more than the one text that a call takes */
export function formatRequest(request: EmbedRequest): Record<string, unknown> {
  const [inputText, ...others] = textsOf(request)
  if (others.length > 0) throw invalidRequest('input', 'input: this vendor accepts one text per request.')
  const { dimensions } = request
  return { inputText, ...(dimensions !== undefined && { dimensions }) }
}
