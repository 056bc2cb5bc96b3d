import { tiers, type Tier } from '../tier.ts'

/** Cheaper at a little risk, balanced, hardly any risk. */
export type Profile = 'eco' | 'auto' | 'premium'

/**
 * How much less likely to succeed than the best a tier may be and still be chosen, as a difference of
 * probabilities. The configuration may say otherwise.
 */
export const profileDeltas: Readonly<Record<Profile, number>> = { eco: 0.16, auto: 0.08, premium: 0.03 }

/** Shares of success, by tier, each from 0 to 1. */
export type TierProbabilities = Readonly<Record<Tier, number>>

/**
 * The cheapest tier that is at most `delta` less likely to succeed than the best (a difference of
 * probabilities).
 */
export function cheapestTierWithin(probabilities: TierProbabilities, delta: number): Tier {
  let best = 0
  for (const tier of tiers) best = Math.max(best, probabilities[tier])
  return tiers.find((tier) => probabilities[tier] >= best - delta) ?? 'REASONING'
}
