import type { Tier } from '../tier.ts'

/**
 * The average output tokens of a tier's answers, including reasoning. Models of a tier are compared by the
 * expected cost of a request.
 */
export const expectedOutputTokens: Readonly<Record<Tier, number>> = {
  SIMPLE: 150,
  MEDIUM: 400,
  COMPLEX: 1_000,
  REASONING: 3_000,
}
