import { FairBreaker, type BreakerRules } from '@turnpike/routing'
import type { ModelUpstream, Provider } from '@turnpike/vendors'
import type { Credential } from '../../upstream/credentials/credential.ts'
import type { OwnKey } from '../candidate.ts'
import { UpstreamHealth, type KeyHealth, type RestReason } from './upstream-health.ts'

/** The first rest of a key that was refused, or whose account is empty: neither heals by itself soon. */
const keyRestMs = 30_000

/** What its health knows of a credential. */
type CredentialIdentity = Pick<Credential, 'number' | 'onRenewed'>

/** Own keys, and what is asked by them, of which the health is remembered; the oldest go first. */
const maxOwn = 20_000

/**
 * The health of all upstreams that were asked since the node's start. It belongs to the node, not to a
 * catalog: a refresh of prices forgets nothing.
 */
export class HealthBook {
  readonly #rules: BreakerRules | undefined
  readonly #onKeyRefused: (provider: string, key: number | null) => void
  readonly #byKey = new Map<string, KeyHealth>()
  readonly #byUpstream = new Map<string, UpstreamHealth>()
  readonly #byOwnKey = new Map<string, KeyHealth>()
  readonly #byOwnUpstream = new Map<string, UpstreamHealth>()

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

  /** How the upstream does with one of its provider's credentials. */
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

  /** Of an account's own key: apart from those of the operator's keys, and from all others'. */
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

  /** Those that were asked, in the order in which their models first were. */
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
      // What took the place of a credential that was refused is not the one that rests.
      credential.onRenewed?.(() => breaker?.forgive('key-refused'))
    }
    return health
  }

  /** The sandbox fails where a caller asks it to: that must not be held against it for all others. */
  #breaker({ style }: Provider, rules: BreakerRules | undefined): FairBreaker<RestReason> | undefined {
    return rules === undefined || style === 'sandbox' ? undefined : new FairBreaker(rules)
  }
}
