import type { AttemptRecord, HealthBook } from '@turnpike/gateway'
import { Counter, Gauge, type Registry } from 'prom-client'

/** What becomes of calls to vendors, and who of them is left in peace. */
export class UpstreamMetrics {
  readonly #registry: Registry
  readonly #attempts: Counter<'provider' | 'result'>

  constructor(registry: Registry) {
    this.#registry = registry
    this.#attempts = new Counter({
      name: 'turnpike_upstream_attempts_total',
      help: 'Upstreams whose turn it was, by provider and by what became of it (docs/fallback.md).',
      labelNames: ['provider', 'result'],
      registers: [registry],
    })
  }

  add(attempts: readonly AttemptRecord[]): void {
    for (const { provider, result } of attempts) this.#attempts.inc({ provider, result })
  }

  watch(health: HealthBook): void {
    const gauge: Gauge<'provider' | 'state'> = new Gauge({
      name: 'turnpike_upstreams',
      help: 'Upstreams that were asked since the start, with a key each, by provider and state.',
      labelNames: ['provider', 'state'],
      registers: [this.#registry],
      collect() {
        gauge.reset()
        const nowMs = performance.now()
        for (const one of health.all()) gauge.inc({ provider: one.ofKey.provider, state: one.state(nowMs) })
      },
    })
  }
}
