import type { ModelRequest } from '@turnpike/protocol'
import type { Target } from '../../vendor.ts'
import { formatBody } from './body.ts'
import { outputBoundFieldOf, fitRequest, takesStreamOptions } from './fit-request.ts'

/** Writes a request of another format in the form of OpenAI's that this vendor accepts. */
export function formatRequest(request: ModelRequest, target: Target): Record<string, unknown> {
  const {
    max_completion_tokens: bound,
    stream_options: options,
    ...body
  } = formatBody(fitRequest(request, target))
  if (bound !== undefined) body[outputBoundFieldOf(target)] = bound
  if (options !== undefined && takesStreamOptions(target)) body['stream_options'] = options
  return body
}
