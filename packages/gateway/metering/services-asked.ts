import type { ServicesAsked } from '@turnpike/billing'
import { vendorFormats, treatmentOf } from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { CatalogModel, Provider } from '@turnpike/vendors'
import type { Held, Parsed } from '../context/stages.ts'
import { estimatedTokens } from '../operations/rules.ts'
import { compactions } from './compactions.ts'
import { servedUse } from './served-tools.ts'

/** Searches that one answer is reckoned with where the caller asks for them. */
const searchesOfAnswer = 20

/** What the model writes when it makes a conversation shorter, beyond the answer's own bound. */
const summaryTokens = 8_192

const nothing: ServicesAsked = {}

type Asked = Pick<Parsed, 'call' | 'format'> & Pick<Partial<Held>, 'toolUses'>

/** Whom a request may be put at, and how much input it is held with. */
interface At {
  provider: Provider
  model: CatalogModel
  heldInputTokens: number
}

/** What a request asks of a candidate beside its plain tokens, as far as a price may pay for it. */
export function servicesAsked(request: Asked, at: At): ServicesAsked {
  const { extensions, tools } = request.call.request
  const { modalities, prediction } = extensions
  const { provider } = at
  const tier = tierAsked(request, provider)
  const used = servedUse(tools, provider, request.toolUses, request.call.maxToolUses)
  const asked = asksForSearches(extensions, provider) ? searchesOfAnswer : 0
  const searches = provider.unaskedSearches + asked + used.searches
  const compacted = compactions(request.call.request, at)
  const isRead = used.readings === 1 && compacted === 0
  const isPlain = tier === undefined && searches === 0 && isRead
  if (isPlain && modalities === undefined && prediction === undefined) return nothing
  const services: ServicesAsked = { webSearches: searches, furtherOutput: furtherOutput(modalities) }
  if (tier !== undefined) services.tier = tier
  if (!isRead) {
    services.readings = used.readings + compacted
    services.moreInputTokens = used.broughtTokens + (used.bringsDocuments ? at.model.contextLength : 0)
  }
  // https://platform.openai.com/docs/guides/predicted-outputs: tokens that are rejected are billed as output.
  if (prediction !== undefined && prediction !== null)
    services.moreOutputTokens = estimatedTokens(JSON.stringify(prediction).length)
  if (compacted > 0) services.moreOutputTokens = (services.moreOutputTokens ?? 0) + compacted * summaryTokens
  return services
}

/** The service tier that the vendor is asked for; undefined: none, or its format has no word for it. */
export function tierAsked({ call, format }: Asked, provider: Provider): string | undefined {
  const { service_tier: tier } = call.request.extensions
  if (typeof tier !== 'string') return undefined
  const { fields } = vendorFormats[provider.format].operations[format.operation]
  return treatmentOf('service_tier', fields) === 'dropped' ? undefined : tier
}

/** By provider: the fields that ask for searches. */
const searchFields = new WeakMap<Provider, readonly string[]>()

/** Whether a field of the request asks for searches that a price may pay for. */
export function asksForSearches(extensions: ModelRequest['extensions'], provider: Provider): boolean {
  let fields = searchFields.get(provider)
  if (fields === undefined) {
    fields = provider.paidFields
      .filter(({ chargedBy }) => chargedBy === 'web_search')
      .map(({ field }) => field)
    searchFields.set(provider, fields)
  }
  for (const field of fields) if ((extensions[field] ?? null) !== null) return true
  return false
}

function furtherOutput(modalities: unknown): NonNullable<ServicesAsked['furtherOutput']> {
  if (!Array.isArray(modalities)) return []
  return [
    ...(modalities.includes('audio') ? (['outputAudioTokens'] as const) : []),
    ...(modalities.includes('image') ? (['outputImageTokens'] as const) : []),
  ]
}
