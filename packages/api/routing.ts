/** `POST /api/v1/route`: what auto-routing would do, and why. */
export interface RouteDecision {
  /** Who would be asked first. */
  model: string
  tier: string
  /** `eco`, `auto` or `premium`. */
  profile?: string
  /** What the prompt alone asks for. */
  scored_tier?: string
  /** Whether the account's outcomes are used (`on`), only written down (`shadow`), or neither (`off`). */
  calibration?: string
  /** What the prompt asks for by the account's outcomes; null where calibration is off. */
  calibrated_tier?: string | null
  /** By tier: what the account's outcomes add to the log-odds of its probability. */
  correction?: Record<string, number> | null
  /** From 0 (any model will do) to 1 (the strongest is worth its price). */
  score?: number
  /** How likely a model of each tier is to succeed, from 0 to 1. */
  probabilities?: Record<string, number>
  /** False where too little of the text is known to say. */
  confident?: boolean
  /** The strongest first; a positive weight speaks for a stronger model. */
  reasons?: { reason: string; weight: number }[]
  /** What besides the prompt led there. */
  because?: string[]
  /** Models that cannot take the request. */
  filters?: { model: string; reason: string }[]
  /** In the order in which they would be asked. */
  candidates?: RouteCandidate[]
  runner_up?: string | null
}

export interface RouteCandidate {
  model: string
  tier: string
  /** With an answer of usual length. */
  expected_cost_usd: string
  /** False where all that could serve it rest. */
  healthy: boolean
}

export const routeFields = [
  'model',
  'tier',
  'profile',
  'scored_tier',
  'calibration',
  'calibrated_tier',
  'correction',
  'score',
  'probabilities',
  'confident',
  'known',
  'reasons',
  'because',
  'filters',
  'candidates',
  'runner_up',
] as const
