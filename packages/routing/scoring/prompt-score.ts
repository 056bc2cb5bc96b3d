import type { Tier } from '../tier.ts'
import { cheapestTierWithin, type TierProbabilities } from './profiles.ts'

/** Why a prompt got its score. */
export interface Reason {
  /** In words a user reads: `many numbers`, `the words "prove that"`. */
  text: string
  /**
   * How far it moved the score, in log-odds: positive asks for a stronger model, negative for a cheaper
   * one.
   */
  weight: number
}

/** What the scorer thinks of a prompt. */
export interface PromptScore {
  /** By the profile `auto`; use `tierFor` for another. */
  tier: Tier
  /** From 0 (any model will do) to 1 (the strongest is worth its price); what prompts are ranked by. */
  score: number
  /** The calibrated probability that a model of the tier succeeds. It never falls from a tier to the next. */
  probabilities: TierProbabilities
  /** False where too little is known of the text to trust the rest; the tier is then MEDIUM at least. */
  confident: boolean
  /** Share of the text that the vocabulary knows, from 0 to 1. */
  known: number
  /** The five strongest reasons, strongest first. Computed at each call. */
  reasons: () => Reason[]
}

/**
 * The tier under another `delta` than the one of `auto` (see `profileDeltas`). Where the scorer is not
 * confident, it is never SIMPLE.
 */
export function tierFor(score: PromptScore, delta: number): Tier {
  const tier = cheapestTierWithin(score.probabilities, delta)
  return tier === 'SIMPLE' && !score.confident ? 'MEDIUM' : tier
}
