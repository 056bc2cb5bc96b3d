import type { paths, Schemas } from './schema.ts'

/** What `by` may name at `GET /api/v1/usage/health`, besides `tagDimension`. */
export const healthDimensions = ['day', 'hour', 'model', 'provider', 'key', 'tag'] as const
/** Groups of one answer. */
export const mostHealthGroups = 3_000

export type HealthTimes = HealthFigures['latency_ms']

/** How requests went. */
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
