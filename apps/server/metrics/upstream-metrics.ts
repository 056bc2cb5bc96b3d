import type { AttemptRecord, Gateway, HealthBook } from '@turnpike/gateway'
import { BoundedLabel } from './bounded-label.ts'
import type { Meters } from './register.ts'
import { registerCredentialMetrics } from './credential-metrics.ts'

/** A vendor may answer with any HTTP status. The named failures are about twenty. */
const mostResults = 60
const mostProviders = 100
const states = ['closed', 'half-open', 'open'] as const

/** Metrics of calls to vendors, and of upstreams in cooldown. */
export class UpstreamMetrics {
  readonly #meters: Meters
  readonly #providers = new BoundedLabel(mostProviders)
  readonly #results = new BoundedLabel(mostResults)
  /** By provider, then by result. */
  readonly #attempts = new Map<string, Map<string, number>>()

  constructor(meters: Meters) {
    this.#meters = meters
    meters.counter(
      'turnpike_upstream_attempts_total',
      'Attempts at upstreams, skipped ones included, by provider and result (docs/fallback.md).',
      ['provider', 'result'],
      () => this.#seriesOf(),
    )
  }

  add(attempts: readonly AttemptRecord[]): void {
    for (const attempt of attempts) {
      // A rejected key of an account is not the upstream's failure.
      if (attempt.isByok === true) continue
      const provider = this.#providers.of(attempt.provider)
      const result = this.#results.of(attempt.result)
      let results = this.#attempts.get(provider)
      if (results === undefined) this.#attempts.set(provider, (results = new Map<string, number>()))
      results.set(result, (results.get(result) ?? 0) + 1)
    }
  }

  watch({ health, credentials }: Pick<Gateway, 'health' | 'credentials'>): void {
    registerCredentialMetrics(this.#meters, credentials)
    this.#meters.gauge(
      'turnpike_upstreams',
      'Upstreams (with one key each) asked since the start, by provider and breaker state.',
      ['provider', 'state'],
      () => countStates(health),
    )
    this.#meters.gauge(
      'turnpike_upstream_rest_seconds',
      'Longest time until a resting upstream of the provider is asked again.',
      ['provider'],
      () => longestRests(health),
    )
  }

  #seriesOf(): (readonly [Record<string, string>, number])[] {
    return [...this.#attempts].flatMap(([provider, results]) =>
      [...results].map(([result, count]) => [{ provider, result }, count] as const),
    )
  }
}

/** Counts upstreams by state. Every state has a series from the first call on: graphs have no gaps. */
function countStates(health: HealthBook): (readonly [Record<string, string>, number])[] {
  const counts = new Map<string, Record<(typeof states)[number], number>>()
  const nowMs = performance.now()
  for (const one of health.all()) {
    const { provider } = one.ofKey
    const ofProvider = counts.get(provider) ?? { closed: 0, 'half-open': 0, open: 0 }
    ofProvider[one.state(nowMs)]++
    counts.set(provider, ofProvider)
  }
  return [...counts].flatMap(([provider, ofProvider]) =>
    states.map((state) => [{ provider, state }, ofProvider[state]] as const),
  )
}

function longestRests(health: HealthBook): (readonly [Record<string, string>, number])[] {
  const longestMs = new Map<string, number>()
  const nowMs = performance.now()
  for (const one of health.all()) {
    const { provider } = one.ofKey
    longestMs.set(provider, Math.max(longestMs.get(provider) ?? 0, one.waitMs(nowMs)))
  }
  return [...longestMs].map(([provider, ms]) => [{ provider }, ms / 1_000] as const)
}
