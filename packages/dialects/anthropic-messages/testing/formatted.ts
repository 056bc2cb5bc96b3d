import { parseRequest } from '../../openai-chat/caller/request.ts'
import { refuseUnsupported } from '../../requests/fields/generate-field-rules.ts'
import { targetOf } from '../../testing/target.ts'
import { anthropicMessages } from '../vendor.ts'

export interface FormattedRequest {
  system?: unknown
  messages: { role: string; content: unknown }[]
  [field: string]: unknown
}

const hello = [{ role: 'user', content: 'hi' }]

/** The body that Anthropic gets for a body in OpenAI's shape, after a round trip through JSON. */
export function formatted(body: object, model = 'claude-sonnet-4-5'): FormattedRequest {
  const { request } = parseRequest({ model: 'anthropic/x', messages: hello, ...body })
  refuseUnsupported(request, anthropicMessages.operations.generate.fields, 'anthropic/x')
  const target = targetOf('anthropic-messages', model)
  return JSON.parse(
    JSON.stringify(anthropicMessages.operations.generate.formatRequest(request, target)),
  ) as FormattedRequest
}
