import type { ServicesAsked } from '@turnpike/billing'
import { vendorFormats, treatmentOf } from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'
import { estimatedTokens } from '../operations/rules.ts'

/** Searches that one answer is reckoned with where the caller asks for them. */
const searchesOfAnswer = 20

const nothing: ServicesAsked = {}

/** What a request asks of a provider beside its plain tokens, as far as a price may pay for it. */
export function servicesAsked({ extensions }: ModelRequest, provider: Provider): ServicesAsked {
  const { unaskedSearches } = provider
  const { modalities, prediction } = extensions
  const tier = tierAsked(extensions, provider)
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
export function tierAsked(
  { service_tier: tier }: ModelRequest['extensions'],
  { format }: Provider,
): string | undefined {
  if (typeof tier !== 'string') return undefined
  const { fields } = vendorFormats[format].operations.generate
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
