import type { paths, Schemas } from './schema.ts'

/** The values of `by` at `GET /api/v1/usage/health`, besides `tagDimension`. */
export const healthDimensions = ['day', 'hour', 'model', 'provider', 'key', 'tag'] as const
/** The most groups in one response. */
export const mostHealthGroups = 3_000

export type HealthTimes = HealthFigures['latency_ms']

/** Figures about how requests ended. */
export type HealthFigures = Schemas['HealthFigures']

export type HealthGroup = Health['data'][number]

/** `GET /api/v1/usage/health`. */
export type Health = paths['/api/v1/usage/health']['get']['responses'][200]['content']['application/json']

export const healthFields = [
  'object',
  'range_days',
  'counted_since',
  'by',
  'total',
  'previous',
  'data',
  'has_more',
] as const satisfies readonly (keyof Health)[]
