import { tiers, type Tier } from '../tier.ts'
import { logOdds, type Correction } from './correction.ts'

/** How many outcomes of a tier are needed before it is corrected. */
const leastOutcomes = 30

/** Each outcome reduces the weight of all earlier ones by this share, so about the last 200 count. */
const forgetting = 1 / 200

/** The prediction counts as much as this many outcomes. */
const trust = 20

/** The largest correction, in log-odds. */
const mostShift = 1

/**
 * A correction only changes if the outcomes differ from it by more than this, in log-odds, and by more than
 * chance explains, in standard errors. Otherwise a steady stream of outcomes would move prompts back and
 * forth between two tiers.
 */
const band = 0.3
const errors = 4

const unchanged: Correction = [0, 0, 0, 0]

/** What is known about one tier of an account. */
interface TierOutcomes {
  count: number
  /** Exponentially decaying sums. */
  weight: number
  sufficed: number
  predicted: number
}

interface AccountOutcomes {
  byTier: TierOutcomes[]
  correction: Correction
  /** The account has sent answers back, so its silence says something too. */
  reports: boolean
}

/**
 * Learns from accounts' outcomes how to correct the scorer's probabilities: a shift of log-odds by account
 * and tier. Bounded: the least recently used account is forgotten. Kept in the memory of one node.
 */
export class Calibrator {
  readonly #limit: number
  readonly #accounts = new Map<string, AccountOutcomes>()

  constructor(limit = 10_000) {
    this.#limit = limit
  }

  /** Zero for an account with too few outcomes. */
  correctionOf(accountId: string): Correction {
    return this.#accounts.get(accountId)?.correction ?? unchanged
  }

  /** Whether the account has ever sent an answer back. */
  reports(accountId: string): boolean {
    return this.#accounts.get(accountId)?.reports === true
  }

  /** Notes that the account sends back answers that do not suffice. */
  noteReport(accountId: string): void {
    this.#account(accountId).reports = true
  }

  /** @param predicted the tier's predicted probability of success, uncorrected, from 0 to 1 */
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
    // A Map keeps insertion order, so re-inserting makes this entry the youngest.
    this.#accounts.delete(accountId)
    this.#accounts.set(accountId, known)
    if (this.#accounts.size > this.#limit) this.#accounts.delete(this.#accounts.keys().next().value!)
    return known
  }
}

/**
 * How far the success rate is from the prediction, in hundredths of log-odds. An account that never reports
 * bad answers does not report good ones either, so its tiers can only be found worse than predicted.
 */
function shiftOf({ weight, sufficed, predicted }: TierOutcomes, reports: boolean): number {
  const expected = predicted / weight
  const seen = (sufficed + trust * expected) / (weight + trust)
  const shift = Math.max(-mostShift, Math.min(reports ? mostShift : 0, logOdds(seen) - logOdds(expected)))
  return Math.round(shift * 100) / 100
}

/** Whether the current correction fails to explain the success rate. */
function isBeyondChance({ weight, sufficed, predicted }: TierOutcomes, shift: number): boolean {
  const explained = 1 / (1 + Math.exp(-logOdds(predicted / weight) - shift))
  const error = Math.sqrt((explained * (1 - explained)) / weight)
  return Math.abs(sufficed / weight - explained) > errors * error
}
