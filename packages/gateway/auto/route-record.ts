import type { Tier } from '@turnpike/routing'
import type { AutoRoute } from './auto-router.ts'

/** What is kept of a routing decision: enough to audit it later, and nothing of the prompt. */
export interface RouteRecord {
  profile: string
  /** What the prompt alone asked for; the row's own tier is what it got. */
  scored: Tier
  /** From 0 (any model will do) to 1. */
  score: number
  /** By tier, in their order: how likely a model of it succeeds. */
  probabilities: number[]
  confident: boolean
  /** What besides the prompt led there, in words. */
  because: string[]
  /** The models in the order in which they were to be asked. */
  ranking: string[]
}

export function routeRecord({ profile, score, scored, decision }: AutoRoute): RouteRecord {
  const rounded = (share: number): number => Math.round(share * 10_000) / 10_000
  return {
    profile,
    scored,
    score: rounded(score.score),
    probabilities: Object.values(score.probabilities).map(rounded),
    confident: score.confident,
    because: decision.because,
    ranking: decision.ranking.map(({ model }) => model),
  }
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
  if (chosen !== undefined) line.push(`${chosen.model}, then ${others} other${others === 1 ? '' : 's'}`)
  return line.join('; ')
}
