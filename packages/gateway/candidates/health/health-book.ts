import { FairBreaker, type BreakerRules } from '@turnpike/routing'
import type { ModelUpstream, Provider } from '@turnpike/vendors'
import type { Credential } from '../../upstream/credentials/credential.ts'
import type { OwnKey } from '../candidate.ts'
import { UpstreamHealth, type KeyHealth, type RestReason } from './upstream-health.ts'

/** A key's first cooldown after a rejection or without credit: neither recovers soon by itself. */
const keyRestMs = 30_000

/** What health tracking needs to know about a credential. */
type CredentialIdentity = Pick<Credential, 'number' | 'onRenewed'>

/** How many own keys, and upstreams called with them, to keep the health of. The oldest go first. */
const maxOwn = 20_000

/** The health of all upstreams called since the node started. A refresh of prices forgets nothing. */
export class HealthBook {
  readonly #rules: BreakerRules | undefined
  readonly #onKeyRefused: (provider: string, key: number | null) => void
  readonly #byKey = new Map<string, KeyHealth>()
  readonly #byUpstream = new Map<string, UpstreamHealth>()
  readonly #byOwnKey = new Map<string, KeyHealth>()
  readonly #byOwnUpstream = new Map<string, UpstreamHealth>()

  /**
   * @param rules undefined: nothing ever goes into cooldown
   * @param onKeyRefused called each time that a provider rejects a key; must not wait
   */
  constructor(
    rules: BreakerRules | undefined,
    onKeyRefused: (provider: string, key: number | null) => void = () => undefined,
  ) {
    this.#rules = rules
    this.#onKeyRefused = onKeyRefused
  }

  /** The health of an upstream with one of its provider's credentials. */
  of(provider: Provider, upstream: ModelUpstream, credential: CredentialIdentity): UpstreamHealth {
    const ofKey = this.#ofKey(provider, credential)
    const model = upstream.versionOf ?? upstream.model
    const { region } = provider
    const name = `${provider.name} ${region ?? ''} ${credential.number} ${model}`
    let health = this.#byUpstream.get(name)
    if (health === undefined) {
      health = new UpstreamHealth(model, ofKey, this.#breaker(provider, this.#rules), region)
      this.#byUpstream.set(name, health)
    }
    return health
  }

  /** The health of an upstream with an account's own key, separate from those of all other keys. */
  ofOwn(provider: Provider, upstream: ModelUpstream, own: OwnKey): UpstreamHealth {
    const ofKey = this.#findOrAdd(this.#byOwnKey, `${own.id} ${own.version}`, () => ({
      provider: provider.name,
      key: null,
      breaker: this.#breaker(provider, this.#keyRules()),
    }))
    const model = upstream.versionOf ?? upstream.model
    return this.#findOrAdd(
      this.#byOwnUpstream,
      `${own.id} ${own.version} ${provider.region ?? ''} ${model}`,
      () => new UpstreamHealth(model, ofKey, this.#breaker(provider, this.#rules)),
    )
  }

  #findOrAdd<Value>(known: Map<string, Value>, name: string, make: () => Value): Value {
    let value = known.get(name)
    if (value === undefined) {
      value = make()
      if (known.size >= maxOwn) known.delete(known.keys().next().value!)
      known.set(name, value)
    }
    return value
  }

  #keyRules(): BreakerRules | undefined {
    return this.#rules && { ...this.#rules, restMs: keyRestMs, longestBackoffMs: Infinity }
  }

  /** All upstreams that were called, in the order in which their models were first called. */
  all(): UpstreamHealth[] {
    return [...this.#byUpstream.values()].filter(({ answers, failures }) => answers + failures > 0)
  }

  #ofKey(provider: Provider, credential: CredentialIdentity): KeyHealth {
    const { number: key } = credential
    const name = `${provider.name} ${key}`
    let health = this.#byKey.get(name)
    if (health === undefined) {
      const onRefused = (): void => this.#onKeyRefused(provider.name, key)
      const breaker = this.#breaker(provider, this.#keyRules())
      health = { provider: provider.name, key, breaker, onRefused }
      this.#byKey.set(name, health)
      // A new credential is not responsible for the rejection of the old one.
      credential.onRenewed?.(() => breaker?.forgive('key-refused'))
    }
    return health
  }

  /** The sandbox fails whenever a caller makes it fail, which must not affect other callers. */
  #breaker({ style }: Provider, rules: BreakerRules | undefined): FairBreaker<RestReason> | undefined {
    return rules === undefined || style === 'sandbox' ? undefined : new FairBreaker(rules)
  }
}
