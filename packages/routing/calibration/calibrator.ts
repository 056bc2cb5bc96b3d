import { tiers, type Tier } from '../tier.ts'
import { logOdds, type Correction } from './correction.ts'

/** Outcomes of a tier before it is corrected. */
const leastOutcomes = 30

/** Each outcome takes this share of the weight of all before it: the last 200 or so count. */
const forgetting = 1 / 200

/** So many outcomes' worth of trust in what was predicted. */
const trust = 20

/** No correction is larger, in log-odds. */
const mostShift = 1

/**
 * A correction stays until what the outcomes say is this far from it, in log-odds, and further than chance
 * takes it, in standard errors: else an even stream of outcomes would move prompts to and fro between two
 * tiers.
 */
const band = 0.3
const errors = 4

const unchanged: Correction = [0, 0, 0, 0]

/** What is known of one tier of an account. */
interface TierOutcomes {
  count: number
  /** Weighed sums, of which the older ones are partly forgotten. */
  weight: number
  sufficed: number
  predicted: number
}

interface AccountOutcomes {
  byTier: TierOutcomes[]
  correction: Correction
  /** It has sent answers back: what it does not send back says something. */
  reports: boolean
}

/**
 * What accounts' outcomes say of the scorer's probabilities, as a shift of their log-odds by account and
 * tier. Bounded: the account that was not heard of for longest is forgotten. In the memory of one node.
 */
export class Calibrator {
  readonly #limit: number
  readonly #accounts = new Map<string, AccountOutcomes>()

  constructor(limit = 10_000) {
    this.#limit = limit
  }

  /** Zero for an account of which too little is known. */
  correctionOf(accountId: string): Correction {
    return this.#accounts.get(accountId)?.correction ?? unchanged
  }

  /** Whether the account has ever sent an answer back. */
  reports(accountId: string): boolean {
    return this.#accounts.get(accountId)?.reports === true
  }

  /** The account sends answers back that it finds wanting. */
  noteReport(accountId: string): void {
    this.#account(accountId).reports = true
  }

  /** @param predicted the probability that the tier had, uncorrected, from 0 to 1 */
  note(accountId: string, tier: Tier, predicted: number, sufficed: boolean): void {
    const account = this.#account(accountId)
    const index = tiers.indexOf(tier)
    const outcomes = account.byTier[index]!
    const kept = 1 - forgetting
    outcomes.count++
    outcomes.weight = outcomes.weight * kept + 1
    outcomes.sufficed = outcomes.sufficed * kept + Number(sufficed)
    outcomes.predicted = outcomes.predicted * kept + predicted
    if (outcomes.count < leastOutcomes) return
    const now = account.correction[index]!
    const due = shiftOf(outcomes, account.reports)
    if (Math.abs(due - now) > band && isBeyondChance(outcomes, now))
      account.correction = account.correction.with(index, due)
  }

  #account(accountId: string): AccountOutcomes {
    const known = this.#accounts.get(accountId) ?? {
      byTier: tiers.map(() => ({ count: 0, weight: 0, sufficed: 0, predicted: 0 })),
      correction: unchanged,
      reports: false,
    }
    // A Map keeps the order in which entries came: taken out and put in again, this one is the youngest.
    this.#accounts.delete(accountId)
    this.#accounts.set(accountId, known)
    if (this.#accounts.size > this.#limit) this.#accounts.delete(this.#accounts.keys().next().value!)
    return known
  }
}

/**
 * How far the share of success is from what was predicted, in hundredths of log-odds. Who never says that an
 * answer was bad does not say that it was good either: then a tier is only ever found worse than predicted.
 */
function shiftOf({ weight, sufficed, predicted }: TierOutcomes, reports: boolean): number {
  const expected = predicted / weight
  const seen = (sufficed + trust * expected) / (weight + trust)
  const shift = Math.max(-mostShift, Math.min(reports ? mostShift : 0, logOdds(seen) - logOdds(expected)))
  return Math.round(shift * 100) / 100
}

/** Whether the share of success is one that the correction in force does not explain. */
function isBeyondChance({ weight, sufficed, predicted }: TierOutcomes, shift: number): boolean {
  const explained = 1 / (1 + Math.exp(-logOdds(predicted / weight) - shift))
  const error = Math.sqrt((explained * (1 - explained)) / weight)
  return Math.abs(sufficed / weight - explained) > errors * error
}
