import type { Limiter, RedisCounts } from '@turnpike/limits'
import type { Meters } from './register.ts'

export interface LimitSources {
  limiter: Pick<Limiter, 'refused'>
  /** Undefined: this node counts for itself. */
  redis: Pick<RedisCounts, 'isUp' | 'tally'> | undefined
}

/** Metrics of refused requests by limit, and of whether all nodes count together. */
export function registerLimitMetrics({ counter, gauge }: Meters, { limiter, redis }: LimitSources): void {
  counter('turnpike_limit_refusals_total', 'Requests refused by a rate limit, by limit.', ['limit'], () =>
    Object.entries(limiter.refused).map(([limit, count]) => [{ limit }, count] as const),
  )
  if (redis === undefined) return
  gauge(
    'turnpike_limits_shared',
    'Whether rate limits are counted in Redis (1) or, while it is down, on this node only (0).',
    [],
    () => (redis.isUp ? 1 : 0),
  )
  counter(
    'turnpike_limit_redis_failures_total',
    'Redis calls that failed or timed out.',
    [],
    () => redis.tally.failures,
  )
  counter(
    'turnpike_limit_lost_corrections_total',
    'Corrections of rate limits by real usage that did not reach Redis.',
    [],
    () => redis.tally.lostCorrections,
  )
}
