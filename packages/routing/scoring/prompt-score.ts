import type { Tier } from '../tier.ts'
import { cheapestTierWithin, type TierProbabilities } from './profiles.ts'

/** A reason for a prompt's score. */
export interface Reason {
  /** For users: `many numbers`, `the words "prove that"`. */
  text: string
  /** Its effect on the score, in log-odds: positive for a stronger model, negative for a cheaper one. */
  weight: number
}

/** The scorer's result for a prompt. */
export interface PromptScore {
  /** For the profile `auto`; use `tierFor` for others. */
  tier: Tier
  /** From 0 (any model will do) to 1 (the strongest is worth its price). Prompts are ranked by it. */
  score: number
  /** The calibrated probability that a model of each tier succeeds. Never falls from a tier to the next. */
  probabilities: TierProbabilities
  /** False if too little of the text is known to trust the rest; the tier is then at least MEDIUM. */
  confident: boolean
  /** The share of the text that the vocabulary knows, from 0 to 1. */
  known: number
  /** The five strongest reasons, strongest first. Computed at each call. */
  reasons: () => Reason[]
}

/** The tier for another `delta` than `auto`'s (see `profileDeltas`). Not SIMPLE unless confident. */
export function tierFor(score: PromptScore, delta: number): Tier {
  const tier = cheapestTierWithin(score.probabilities, delta)
  return tier === 'SIMPLE' && !score.confident ? 'MEDIUM' : tier
}
