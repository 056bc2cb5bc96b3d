import { FairBreaker, type BreakerRules } from '@turnpike/routing'
import type { ModelUpstream, Provider } from '@turnpike/vendors'
import { UpstreamHealth, type KeyHealth, type RestReason } from './upstream-health.ts'

/** The first rest of a key that was refused, or whose account is empty: neither heals by itself soon. */
const keyRestMs = 30_000

/**
 * The health of all upstreams that were asked since the node's start. It belongs to the node, not to a
 * catalog: a refresh of prices forgets nothing.
 */
export class HealthBook {
  readonly #rules: BreakerRules | undefined
  readonly #onKeyRefused: (provider: string, key: number | null) => void
  readonly #byKey = new Map<string, KeyHealth>()
  readonly #byUpstream = new Map<string, UpstreamHealth>()

  /**
   * @param rules undefined: nothing ever rests
   * @param onKeyRefused told each time that a provider says that a key is no good; it must not wait
   */
  constructor(
    rules: BreakerRules | undefined,
    onKeyRefused: (provider: string, key: number | null) => void = () => undefined,
  ) {
    this.#rules = rules
    this.#onKeyRefused = onKeyRefused
  }

  /** @param key place of the key in the provider's list, from 1; null where it has none */
  of(provider: Provider, upstream: ModelUpstream, key: number | null): UpstreamHealth {
    const ofKey = this.#ofKey(provider, key)
    const model = upstream.versionOf ?? upstream.model
    const name = `${provider.name} ${key} ${model}`
    let health = this.#byUpstream.get(name)
    if (health === undefined) {
      health = new UpstreamHealth(model, ofKey, this.#breaker(provider, this.#rules))
      this.#byUpstream.set(name, health)
    }
    return health
  }

  /** Those that were asked, in the order in which their models first were. */
  all(): UpstreamHealth[] {
    return [...this.#byUpstream.values()].filter(({ answers, failures }) => answers + failures > 0)
  }

  #ofKey(provider: Provider, key: number | null): KeyHealth {
    const name = `${provider.name} ${key}`
    let health = this.#byKey.get(name)
    if (health === undefined) {
      const rules = this.#rules && { ...this.#rules, restMs: keyRestMs, longestBackoffMs: Infinity }
      const onRefused = (): void => this.#onKeyRefused(provider.name, key)
      health = { provider: provider.name, key, breaker: this.#breaker(provider, rules), onRefused }
      this.#byKey.set(name, health)
    }
    return health
  }

  /** The sandbox fails where a caller asks it to: that must not be held against it for all others. */
  #breaker({ style }: Provider, rules: BreakerRules | undefined): FairBreaker<RestReason> | undefined {
    return rules === undefined || style === 'sandbox' ? undefined : new FairBreaker(rules)
  }
}
