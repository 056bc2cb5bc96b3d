import type { Target } from '@turnpike/dialects'
import { modelTraits } from '@turnpike/vendors'
import type { Candidate } from './candidate.ts'

/** The model as its vendor knows it. */
export function targetOf({ upstream, model, provider }: Candidate): Target {
  const { maxOutputTokens, supportedParameters } = model
  return {
    model: upstream.model,
    maxOutputTokens,
    supportedParameters,
    traits: modelTraits(provider.format, upstream.model),
    quirks: provider,
  }
}
