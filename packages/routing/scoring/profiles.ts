import { tiers, type Tier } from '../tier.ts'

/** Cheaper with a little risk, balanced, hardly any risk. */
export type Profile = 'eco' | 'auto' | 'premium'

/** How much lower than the best tier's a chosen tier's success probability may be; configurable. */
export const profileDeltas: Readonly<Record<Profile, number>> = { eco: 0.16, auto: 0.08, premium: 0.03 }

/** Success probabilities by tier, each from 0 to 1. */
export type TierProbabilities = Readonly<Record<Tier, number>>

/** The cheapest tier whose probability is at most `delta` below the best. */
export function cheapestTierWithin(probabilities: TierProbabilities, delta: number): Tier {
  let best = 0
  for (const tier of tiers) best = Math.max(best, probabilities[tier])
  return tiers.find((tier) => probabilities[tier] >= best - delta) ?? 'REASONING'
}
