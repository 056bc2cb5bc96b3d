import type { Tier } from '../tier.ts'

/** The average output tokens per tier, including reasoning, to compare its models' expected costs. */
export const expectedOutputTokens: Readonly<Record<Tier, number>> = {
  SIMPLE: 150,
  MEDIUM: 400,
  COMPLEX: 1_000,
  REASONING: 3_000,
}
