import type { CatalogModel } from '@turnpike/vendors'
import type { Attempt, Held, OutputBound } from '../context/stages.ts'

/** Output tokens of one choice that are held for an answer of this model. */
export function boundForModel({ tokens }: OutputBound, model: CatalogModel): number {
  return Math.min(tokens, model.maxOutputTokens)
}

/** Output tokens of all choices that are held for an answer of this model. */
export function countHeldOutput(
  { call, operation, outputBound }: Pick<Held, 'call' | 'operation' | 'outputBound'>,
  model: CatalogModel,
): number {
  return boundForModel(outputBound, model) * operation.choices(call.request)
}

/**
 * The bound that the candidate is told, in tokens of one choice; undefined: none. It is never above what is
 * held.
 */
export function findBoundToSend({
  request: { outputBound },
  candidate: { model },
}: Attempt): number | undefined {
  return outputBound.isSent ? boundForModel(outputBound, model) : undefined
}

/**
 * The largest number of tokens that costs at most so much.
 * @param bounds at least `least` of them, whatever they cost, and at most `most`
 * @param cost grows with the tokens
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
