import type { Limiter, RedisCounts } from '@turnpike/limits'
import type { Registry } from 'prom-client'
import { alone, countedElsewhere, measured } from './counted.ts'

export interface LimitSources {
  limiter: Pick<Limiter, 'refused'>
  /** Undefined: this node counts for itself. */
  redis: Pick<RedisCounts, 'isUp' | 'tally'> | undefined
}

/** Whom limits turned away, and whether all nodes count together. */
export function registerLimitMetrics(registry: Registry, { limiter, redis }: LimitSources): void {
  countedElsewhere(
    registry,
    {
      name: 'turnpike_limit_refusals_total',
      help: 'Requests refused by the limits of their key or account, by the limit.',
      labelNames: ['limit'],
    },
    () => Object.entries(limiter.refused).map(([limit, count]) => [{ limit }, count] as const),
  )
  if (redis === undefined) return
  measured(
    registry,
    {
      name: 'turnpike_limits_shared',
      help: 'Whether limits are counted over Redis (1) or, while it is away, on this node alone (0).',
    },
    () => alone(redis.isUp ? 1 : 0),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_limit_redis_failures_total',
      help: 'Calls of Redis that failed or took too long.',
    },
    () => alone(redis.tally.failures),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_limit_lost_corrections_total',
      help: 'Corrections by real usage that other nodes have not heard of.',
    },
    () => alone(redis.tally.lostCorrections),
  )
}
