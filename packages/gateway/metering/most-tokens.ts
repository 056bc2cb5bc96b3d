import type { Attempt } from '../context/stages.ts'
import { boundForModel } from './output-bound.ts'
import { findRequestedServices } from './requested-services.ts'

/**
 * Tokens that an answer can have together with its input, where the model reads that once: no more than its
 * context, and what its output may be beyond that (docs/contract.md, 4.5).
 */
export function tokensOfReading({ request, candidate: { model } }: Attempt): number {
  const { call, operation, outputBound } = request
  const output = outputBound.isSent ? boundForModel(outputBound, model) : model.maxOutputTokens
  return operation.mostInputTokens(call.request, model) + output * operation.choices(call.request)
}

/** The same where the vendor's own tools let the model read on: each reading has as many. */
export function mostTokens(attempt: Attempt): number {
  const { request, candidate } = attempt
  const { model, provider } = candidate
  // However short the input was thought to be, the vendor may have found it long enough to shorten it.
  const at = { provider, model, heldInputTokens: Infinity }
  const { readings = 1, moreOutputTokens = 0 } = findRequestedServices(request, at)
  const mostReadings = request.operation.services?.mostReadings(request.call.request, provider) ?? 1
  const further = model.contextLength * (Math.max(readings, mostReadings) - 1)
  return tokensOfReading(attempt) + further + moreOutputTokens
}
