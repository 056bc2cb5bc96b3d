import { formatUsd } from '@turnpike/billing'
import { scorerWeights, tiers, type StayReason, type Tier } from '@turnpike/routing'
import type { AutoRoute, Escalation } from './auto-route.ts'
import type { CalibrationMode } from './calibration.ts'

/**
 * What is kept of a routing decision: enough to decide it anew from the row alone, and nothing of the prompt.
 *
 * The basis is `calibrated` where `calibration` is `on`, else `scored`: the cheapest tier whose probability
 * is within `delta` of the best, MEDIUM at least where not `confident`. Where the conversation was `kept`,
 * its own tier takes that one's place; where the request was `escalated`, one above the higher of both.
 */
export interface RouteRecord {
  profile: string
  /** How much less likely to succeed than the best a tier could be. */
  delta: number
  /** Version of the scorer's weights. */
  weights: number
  /** What the prompt alone asked for; the row's own tier is what it got. */
  scored: Tier
  /** What it asked for with the account's correction; null where calibration was off. */
  calibrated: Tier | null
  calibration: CalibrationMode
  /** By tier: what was added to the log-odds of its probability; null where calibration was off. */
  correction: number[] | null
  /** From 0 (any model will do) to 1. */
  score: number
  /** By tier, in their order: how likely a model of it succeeds. Not corrected. */
  probabilities: number[]
  confident: boolean
  /** The tier that the conversation was at; null at its beginning. */
  conversation: Tier | null
  kept: StayReason | null
  escalated: Escalation | null
  /** The tier that came of this. Where no model of it could answer, the first of `tiers` is another one. */
  wanted: Tier
  /** What besides the prompt led there, in words. */
  because: string[]
  /** Why models were left out, each reason with their number. */
  left: Record<string, number>
  /** The models in the order in which they were to be asked. */
  ranking: string[]
  /** As models of which tier they stood there. */
  tiers: Tier[]
  /** What each was expected to cost: USD, decimal strings. */
  expected: string[]
  /** How many of them, the last ones, rested. */
  resting: number
}

export function routeRecord(route: AutoRoute): RouteRecord {
  const { score, calibrated, decision } = route
  const { ranking } = decision
  return {
    profile: route.profile,
    delta: route.delta,
    weights: scorerWeights.version,
    scored: route.scored,
    calibrated: calibrated?.tier ?? null,
    calibration: calibrated === undefined ? 'off' : calibrated.used ? 'on' : 'shadow',
    correction: calibrated === undefined ? null : [...calibrated.correction],
    score: Math.round(score.score * 10_000) / 10_000,
    probabilities: tiers.map((tier) => score.probabilities[tier]),
    confident: score.confident,
    conversation: route.conversationTier ?? null,
    kept: decision.kept ?? null,
    escalated: route.escalation ?? null,
    wanted: decision.wanted,
    because: decision.because,
    left: countReasons(decision.left.values()),
    ranking: ranking.map(({ model }) => model),
    tiers: ranking.map(({ tier }) => tier),
    expected: ranking.map(({ expectedPico }) => formatUsd(expectedPico)),
    resting: ranking.filter(({ healthy }) => !healthy).length,
  }
}

function countReasons(reasons: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

/** The tier as whose model it was chosen; the route's own for one that the caller named besides. */
export function tierServed({ decision }: AutoRoute, model: string): Tier {
  return decision.ranking.find((ranked) => ranked.model === model)?.tier ?? decision.tier
}

/** One line for the header `x-turnpike-route`. */
export function routeLine({ profile, scored, decision, score }: AutoRoute): string {
  const line = [`${profile}: scored ${scored} (${score.score.toFixed(2)})`, ...decision.because]
  const [chosen] = decision.ranking
  const others = decision.ranking.length - 1
  if (chosen !== undefined) line.push(`${chosen.model}, then ${others} more`)
  return line.join('; ')
}
