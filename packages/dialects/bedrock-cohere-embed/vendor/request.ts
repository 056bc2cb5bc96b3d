import type { EmbedRequest } from '@turnpike/protocol'
import { formatRequest as formatCohereRequest } from '../../cohere-embed/vendor/request.ts'
import type { Target } from '../../vendor.ts'

/** Cohere's own body; the model is in the path. */
export function formatRequest(request: EmbedRequest, target: Target): Record<string, unknown> {
  const { model: _inPath, ...body } = formatCohereRequest(request, target)
  return body
}
