import type { Limiter, RedisCounts } from '@turnpike/limits'
import { Counter, Gauge, type Registry } from 'prom-client'

export interface LimitSources {
  limiter: Pick<Limiter, 'refused'>
  /** Undefined: this node counts for itself. */
  redis: Pick<RedisCounts, 'isUp' | 'tally'> | undefined
}

/** Whom limits turned away, and whether all nodes count together. */
export function registerLimitMetrics(registry: Registry, { limiter, redis }: LimitSources): void {
  const registers = [registry]
  const refused: Counter<'limit'> = new Counter({
    name: 'turnpike_limit_refusals_total',
    help: 'Requests refused by the limits of their key or account, by the limit.',
    labelNames: ['limit'],
    registers,
    collect() {
      refused.reset()
      for (const [limit, count] of Object.entries(limiter.refused)) refused.inc({ limit }, count)
    },
  })
  if (redis === undefined) return
  const shared: Gauge = new Gauge({
    name: 'turnpike_limits_shared',
    help: 'Whether limits are counted over Redis (1) or, while it is away, on this node alone (0).',
    registers,
    collect: () => shared.set(redis.isUp ? 1 : 0),
  })
  count('turnpike_limit_redis_failures_total', 'Calls of Redis that failed or took too long.', 'failures')
  count(
    'turnpike_limit_lost_corrections_total',
    'Corrections by real usage that other nodes have not heard of.',
    'lostCorrections',
  )

  function count(name: string, help: string, what: keyof RedisCounts['tally']): void {
    const one: Counter = new Counter({
      name,
      help,
      registers,
      collect() {
        one.reset()
        one.inc(redis!.tally[what])
      },
    })
  }
}
