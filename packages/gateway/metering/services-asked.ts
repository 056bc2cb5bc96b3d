import type { ServicesAsked } from '@turnpike/billing'
import { vendorFormats, treatmentOf } from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'
import type { Parsed } from '../context/stages.ts'
import { estimatedTokens } from '../operations/rules.ts'

/** Searches that one answer is reckoned with where the caller asks for them. */
const searchesOfAnswer = 20

const nothing: ServicesAsked = {}

type Asked = Pick<Parsed, 'call' | 'format'>

/** What a request asks of a provider beside its plain tokens, as far as a price may pay for it. */
export function servicesAsked(request: Asked, provider: Provider): ServicesAsked {
  const { extensions } = request.call.request
  const { unaskedSearches } = provider
  const { modalities, prediction } = extensions
  const tier = tierAsked(request, provider)
  const searches = unaskedSearches + (asksForSearches(extensions, provider) ? searchesOfAnswer : 0)
  if (tier === undefined && searches === 0 && modalities === undefined && prediction === undefined)
    return nothing
  const asked: ServicesAsked = { webSearches: searches, furtherOutput: furtherOutput(modalities) }
  if (tier !== undefined) asked.tier = tier
  // https://platform.openai.com/docs/guides/predicted-outputs: tokens that are rejected are billed as output.
  if (prediction !== undefined && prediction !== null)
    asked.moreOutputTokens = estimatedTokens(JSON.stringify(prediction).length)
  return asked
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
