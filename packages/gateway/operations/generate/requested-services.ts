import type { RequestedServices } from '@turnpike/billing'
import type { CallerFormat, GenerateCall } from '@turnpike/dialects'
import { asksForSearches, tierAsked } from '../billed-fields.ts'
import { estimateTokens, type ServiceTarget } from '../rules.ts'
import { compactions } from './compactions.ts'
import { servedUseOf } from './served-tools.ts'

/** How many searches to hold for per answer if the caller requests searches. */
const searchesOfAnswer = 20

/** What the model writes when it compacts a conversation, in addition to the answer's own bound. */
const summaryTokens = 8_192

const nothing: RequestedServices = {}

interface Asked {
  call: GenerateCall
  format: CallerFormat
  toolUses?: number | undefined
}

/** What a request needs from a candidate besides plain tokens, as far as prices cover it. */
export function findRequestedServices(request: Asked, at: ServiceTarget): RequestedServices {
  const { extensions, tools } = request.call.request
  const { modalities, prediction } = extensions
  const { provider } = at
  const tier = tierAsked(request.call.request, request.format, provider)
  const used = servedUseOf(tools, provider, request.toolUses, request.call.maxToolUses)
  const requestedSearches = asksForSearches(extensions, provider) ? searchesOfAnswer : 0
  const searches = provider.unaskedSearches + requestedSearches + used.searches
  const compacted = compactions(request.call.request, at)
  const isRead = used.readings === 1 && compacted === 0
  const isPlain = tier === undefined && searches === 0 && isRead
  if (isPlain && modalities === undefined && prediction === undefined) return nothing
  const services: RequestedServices = { webSearches: searches, furtherOutput: furtherOutput(modalities) }
  if (tier !== undefined) services.tier = tier
  if (!isRead) {
    services.readings = used.readings + compacted
    services.moreInputTokens = used.broughtTokens + (used.bringsDocuments ? at.model.contextLength : 0)
  }
  // https://platform.openai.com/docs/guides/predicted-outputs: rejected tokens are billed as output.
  if (prediction !== undefined && prediction !== null)
    services.moreOutputTokens = estimateTokens(JSON.stringify(prediction).length)
  if (compacted > 0) services.moreOutputTokens = (services.moreOutputTokens ?? 0) + compacted * summaryTokens
  return services
}

function furtherOutput(modalities: unknown): NonNullable<RequestedServices['furtherOutput']> {
  if (!Array.isArray(modalities)) return []
  return [
    ...(modalities.includes('audio') ? (['outputAudioTokens'] as const) : []),
    ...(modalities.includes('image') ? (['outputImageTokens'] as const) : []),
  ]
}
