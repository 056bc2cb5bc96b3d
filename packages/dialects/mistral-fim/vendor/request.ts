import type { ModelRequest } from '@turnpike/protocol'
import { onlyText } from '../../requests/only-text.ts'
import { selectExtensions } from '../../requests/fields/requested-fields.ts'
import type { Target } from '../../vendor.ts'
import { fimFields } from './fields.ts'
import { withoutUndefined } from '../../json/object.ts'

/**
 * Writes a text to continue, or a prefix and suffix to fill between.
 * @throws {GatewayError} 400 for a conversation
 */
export function formatRequest(request: ModelRequest, { model }: Target): Record<string, unknown> {
  return withoutUndefined({
    model,
    prompt: onlyText(request.messages),
    suffix: request.completion?.suffix,
    stream: request.stream ? true : undefined,
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop.length === 0 ? undefined : request.stop,
    random_seed: request.seed,
    ...selectExtensions(request, fimFields),
  })
}
