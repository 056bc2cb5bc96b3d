import type { CatalogModel } from '@turnpike/vendors'
import type { Attempt, Held, OutputBound } from '../context/stages.ts'

/** How many output tokens the hold covers per choice of this model's answer. */
export function boundForModel({ tokens }: OutputBound, model: CatalogModel): number {
  return Math.min(tokens, model.maxOutputTokens)
}

/** How many output tokens the hold covers in all choices of this model's answer. */
export function countHeldOutput(
  { call, operation, outputBound }: Pick<Held, 'call' | 'operation' | 'outputBound'>,
  model: CatalogModel,
): number {
  return boundForModel(outputBound, model) * operation.choices(call.request)
}

/**
 * The bound to send to the candidate, in tokens per choice; undefined for none. Never above the held tokens.
 */
export function findBoundToSend({
  request: { outputBound },
  candidate: { model },
}: Attempt): number | undefined {
  return outputBound.isSent ? boundForModel(outputBound, model) : undefined
}

/**
 * The largest number of tokens that costs at most the given amount.
 * @param bounds at least `least` tokens, whatever they cost, and at most `most`
 * @param cost must grow with the tokens
 */
export function mostTokensWithin(
  pico: bigint,
  { least, most }: { least: number; most: number },
  cost: (tokens: number) => bigint,
): number {
  if (most <= least || cost(most) <= pico) return Math.max(least, most)
  let covered = least
  let tooMany = most
  while (tooMany - covered > 1) {
    const between = covered + Math.floor((tooMany - covered) / 2)
    if (cost(between) <= pico) covered = between
    else tooMany = between
  }
  return covered
}
