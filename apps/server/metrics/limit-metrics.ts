import type { Limiter, RedisCounts } from '@turnpike/limits'
import type { Registry } from 'prom-client'
import { alone, registerCounter, registerGauge } from './register.ts'

export interface LimitSources {
  limiter: Pick<Limiter, 'refused'>
  /** Undefined: this node counts for itself. */
  redis: Pick<RedisCounts, 'isUp' | 'tally'> | undefined
}

/** Metrics of refused requests by limit, and of whether all nodes count together. */
export function registerLimitMetrics(registry: Registry, { limiter, redis }: LimitSources): void {
  registerCounter(
    registry,
    {
      name: 'turnpike_limit_refusals_total',
      help: 'Requests refused by a rate limit, by limit.',
      labelNames: ['limit'],
    },
    () => Object.entries(limiter.refused).map(([limit, count]) => [{ limit }, count] as const),
  )
  if (redis === undefined) return
  registerGauge(
    registry,
    {
      name: 'turnpike_limits_shared',
      help: 'Whether rate limits are counted in Redis (1) or, while it is down, on this node only (0).',
    },
    () => alone(redis.isUp ? 1 : 0),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_limit_redis_failures_total',
      help: 'Redis calls that failed or timed out.',
    },
    () => alone(redis.tally.failures),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_limit_lost_corrections_total',
      help: 'Corrections of rate limits by real usage that did not reach Redis.',
    },
    () => alone(redis.tally.lostCorrections),
  )
}
