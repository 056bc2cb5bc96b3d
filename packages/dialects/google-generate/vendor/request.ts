import type { ModelRequest } from '@turnpike/protocol'
import type { Target } from '../../vendor.ts'
import { formatConversation } from './contents/contents.ts'
import { googleWords } from './extensions.ts'
import { formatGenerationConfig } from './generation-config.ts'
import { formatTools } from './tools.ts'
import { withoutUndefined } from '../../json/object.ts'

/**
 * Writes the body of `generateContent` and `streamGenerateContent`
 * (https://ai.google.dev/api/generate-content#request-body). The model and whether to stream are in the path.
 */
export function formatRequest(request: ModelRequest, target: Target): Record<string, unknown> {
  const { gemini } = target.traits
  const words = googleWords(request.extensions)
  const generationConfig = withoutUndefined(formatGenerationConfig(request, gemini, words))
  return withoutUndefined({
    ...formatConversation(request.messages, gemini),
    ...formatTools(request, target),
    generationConfig: Object.keys(generationConfig).length === 0 ? undefined : generationConfig,
    safetySettings: words.safetySettings,
    cachedContent: words.cachedContent,
  })
}
