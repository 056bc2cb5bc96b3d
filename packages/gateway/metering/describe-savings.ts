import type { Limited } from '../context/stages.ts'
import { findRequestedServices } from './requested-services.ts'

const bound = 'max_completion_tokens'

/** What the caller can lower for a cheaper request, as its own fields; undefined if only the input. */
export function describeSavings(request: Limited): string | undefined {
  const { format, call, candidates, operation } = request
  if (!operation.expectsOutput) return undefined
  const own = format.fieldPath?.(bound, call.body) ?? bound
  return candidates.some((candidate) => searches(request, candidate))
    ? `${own} or the number of web searches`
    : own
}

function searches(request: Limited, { provider, model }: Limited['candidates'][number]): boolean {
  const { webSearches = 0 } = findRequestedServices(request, { provider, model, heldInputTokens: 0 })
  return webSearches > provider.unaskedSearches
}
