import type { Context } from '../context.ts'
import type { Message } from './completion.ts'
import { askAsUser } from './user-api.ts'

/** A model that could answer, as `POST /api/v1/route` weighs it. */
export interface RouteCandidate {
  model: string
  expected_cost_usd?: string
}

/** `POST /api/v1/route`: what auto-routing would pick, and why. All but model and tier may be absent. */
export interface RouteDecision {
  model: string
  tier: string
  score?: number
  /** How likely each tier is to be enough, from 0 to 1. */
  probabilities?: Record<string, number>
  /** The strongest first; a positive weight speaks for a higher tier. */
  reasons?: { reason: string; weight?: number }[]
  /** What took candidates out before they were weighed. */
  filters?: string[]
  candidates?: RouteCandidate[]
  runner_up?: string | null
}

export const routeFields = [
  'model',
  'tier',
  'score',
  'probabilities',
  'reasons',
  'filters',
  'candidates',
  'runner_up',
] as const

/** What auto-routing would do with these messages. No model is called. */
export function routeFor(
  context: Context,
  { model = 'turnpike/auto', messages }: { model?: string | undefined; messages: Message[] },
): Promise<RouteDecision> {
  return askAsUser<RouteDecision>(context, {
    method: 'POST',
    path: '/api/v1/route',
    body: { model, messages },
  })
}
