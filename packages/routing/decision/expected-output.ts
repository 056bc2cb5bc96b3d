import type { Tier } from '../tier.ts'

/**
 * Output tokens that an answer of a tier has on average, thoughts included: models of a tier are compared by
 * what a request is expected to cost at each.
 */
export const expectedOutputTokens: Readonly<Record<Tier, number>> = {
  SIMPLE: 150,
  MEDIUM: 400,
  COMPLEX: 1_000,
  REASONING: 3_000,
}
