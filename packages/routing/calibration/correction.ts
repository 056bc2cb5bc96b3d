import type { TierProbabilities } from '../scoring/profiles.ts'
import { tiers, type Tier } from '../tier.ts'

/** What is added to the log-odds of each tier's probability, in the order of the tiers; each from -1 to 1. */
export type Correction = readonly number[]

/** Probabilities are known to so many parts of one, here and in a request's row: a row decides the same. */
const parts = 10_000

/** No model is certain to succeed, none to fail. */
const least = 0.001

/** The probabilities with an account's correction; as before, none is below that of a cheaper tier. */
export function applyCorrection(probabilities: TierProbabilities, correction: Correction): TierProbabilities {
  let atLeast = 0
  const shifted = tiers.map((tier, index): [Tier, number] => {
    const shift = correction[index]!
    const own = probabilities[tier]
    // Untouched where nothing is to be added: the logistic function and back is not the same number.
    if (shift !== 0) atLeast = Math.max(atLeast, 1 / (1 + Math.exp(-logOdds(own) - shift)))
    else atLeast = Math.max(atLeast, own)
    return [tier, inParts(atLeast)]
  })
  return Object.fromEntries(shifted) as Record<Tier, number>
}

/** The probabilities as a request's row holds them. */
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
