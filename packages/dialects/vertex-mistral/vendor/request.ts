import type { ModelRequest } from '@turnpike/protocol'
import { formatRequest as formatMistralRequest } from '../../mistral-chat/vendor/request.ts'
import type { Target } from '../../vendor.ts'

/**
 * Mistral's own body. A version (`mistral-small@2503`) is only in the path; the body has the name without it.
 * @throws {GatewayError} as Mistral's `formatRequest`
 */
export function formatRequest(request: ModelRequest, target: Target): Record<string, unknown> {
  return formatMistralRequest(request, { ...target, model: target.model.split('@', 1)[0]! })
}
