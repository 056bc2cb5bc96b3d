import type { TierProbabilities } from '../scoring/profiles.ts'
import { tiers, type Tier } from '../tier.ts'

/** What to add to the log-odds of each tier's probability, in the order of the tiers; each from -1 to 1. */
export type Correction = readonly number[]

/** Probabilities are rounded to this fraction, as in a request's row, which thus decides the same. */
const parts = 10_000

/** No model is certain to succeed, or to fail. */
const least = 0.001

/** Applies an account's correction. As before, no probability is below that of a cheaper tier. */
export function applyCorrection(probabilities: TierProbabilities, correction: Correction): TierProbabilities {
  let atLeast = 0
  const shifted = tiers.map((tier, index): [Tier, number] => {
    const shift = correction[index]!
    const own = probabilities[tier]
    // Unchanged without a shift: the logistic function of its inverse is not exactly the same number.
    if (shift !== 0) atLeast = Math.max(atLeast, 1 / (1 + Math.exp(-logOdds(own) - shift)))
    else atLeast = Math.max(atLeast, own)
    return [tier, inParts(atLeast)]
  })
  return Object.fromEntries(shifted) as Record<Tier, number>
}

/** The probabilities, rounded as a request's row stores them. */
export function toCorrection(probabilities: TierProbabilities): TierProbabilities {
  const rounded = tiers.map((tier): [Tier, number] => [tier, inParts(probabilities[tier])])
  return Object.fromEntries(rounded) as Record<Tier, number>
}

export function logOdds(probability: number): number {
  const bounded = Math.min(1 - least, Math.max(least, probability))
  return Math.log(bounded / (1 - bounded))
}

function inParts(share: number): number {
  return Math.round(share * parts) / parts
}
