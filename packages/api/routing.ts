import type { OrOlder } from './older.ts'
import type { Schemas } from './schema.ts'

/** `POST /api/v1/route`: what auto-routing would do, and why. */
export type RouteDecision = OrOlder<Schemas['Route'], Exclude<keyof Schemas['Route'], 'model' | 'tier'>>

export type RouteCandidate = Schemas['Route']['candidates'][number]

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
] as const satisfies readonly (keyof RouteDecision)[]
