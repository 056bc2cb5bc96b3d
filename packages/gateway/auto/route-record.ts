import { formatUsd } from '@turnpike/billing'
import { scorerWeights, tiers, type StayReason, type Tier } from '@turnpike/routing'
import type { AutoRoute, Escalation } from './auto-route.ts'
import type { CalibrationMode } from './calibration.ts'

/**
 * What is kept of a routing decision: enough to repeat it from the row alone, and nothing of the prompt. The
 * basis is `calibrated` if `calibration` is `on`, otherwise `scored`: the cheapest tier whose probability is
 * within `delta` of the best, and at least MEDIUM if not `confident`. If the conversation was `kept`, its own
 * tier replaces that; if the request was `escalated`, the tier is one above the higher of both.
 */
export interface RouteRecord {
  profile: string
  /** How much lower than the best tier's a tier's probability could be. */
  delta: number
  /** The version of the scorer's weights. */
  weights: number
  /** The tier that the prompt alone needed; the row's own tier is the one that served it. */
  scored: Tier
  /** The tier with the account's correction; null if calibration was off. */
  calibrated: Tier | null
  calibration: CalibrationMode
  /** By tier: what was added to the log-odds of its probability; null if calibration was off. */
  correction: number[] | null
  /** From 0 (any model will do) to 1. */
  score: number
  /** By tier, in order: how likely a model of it succeeds, before correction. */
  probabilities: number[]
  confident: boolean
  /** The conversation's previous tier; null at its beginning. */
  conversation: Tier | null
  kept: StayReason | null
  escalated: Escalation | null
  /** The resulting tier. If none of its models could answer, the first of `tiers` differs. */
  wanted: Tier
  /** Further reasons besides the prompt, in words. */
  because: string[]
  /** Why models were left out: how many for each reason. */
  left: Record<string, number>
  /** The models in the order in which to try them. */
  ranking: string[]
  /** The tier for which each model was listed. */
  tiers: Tier[]
  /** The expected cost of each: USD, as decimal strings. */
  expected: string[]
  /** How many models, at the end of the list, were in cooldown. */
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

/** The tier that the model was chosen for; for a model that the caller added, the route's own tier. */
export function tierServed({ decision }: AutoRoute, model: string): Tier {
  return decision.ranking.find((ranked) => ranked.model === model)?.tier ?? decision.tier
}

/** The value of the header `x-turnpike-route`. */
export function routeLine({ profile, scored, decision, score }: AutoRoute): string {
  const line = [`${profile}: scored ${scored} (${score.score.toFixed(2)})`, ...decision.because]
  const [chosen] = decision.ranking
  const others = decision.ranking.length - 1
  if (chosen !== undefined) line.push(`${chosen.model}, then ${others} more`)
  return line.join('; ')
}
