import type { Attempt } from '../context/stages.ts'
import { boundForModel } from './output-bound.ts'
import { findRequestedServices } from './requested-services.ts'

/**
 * How many tokens input and output can have together if the model reads its context once: at most its
 * context, plus output beyond it (docs/contract.md, 4.5).
 */
export function tokensOfReading({ request, candidate: { model } }: Attempt): number {
  const { call, operation, outputBound } = request
  const output = outputBound.isSent ? boundForModel(outputBound, model) : model.maxOutputTokens
  return operation.mostInputTokens(call.request, model) + output * operation.choices(call.request)
}

/** The same if vendor-run tools make the model read its context again: each reading adds as much. */
export function mostTokens(attempt: Attempt): number {
  const { request, candidate } = attempt
  const { model, provider } = candidate
  // The vendor compacts by its own count of the input, so our estimate does not matter.
  const at = { provider, model, heldInputTokens: Infinity }
  const { readings = 1, moreOutputTokens = 0 } = findRequestedServices(request, at)
  const mostReadings = request.operation.services?.mostReadings(request.call.request, provider) ?? 1
  const further = model.contextLength * (Math.max(readings, mostReadings) - 1)
  return tokensOfReading(attempt) + further + moreOutputTokens
}
