import {
  limitsOfModel,
  limitsOfTier,
  type Caller,
  type LimitedModel,
  type ModelLimits,
  type RateLimits,
  type Tier,
} from './limits.ts'

/** The tier of new accounts, and the one below all others. */
export const firstTier = 'free'

interface TierEntry {
  tier: Tier
  general: ModelLimits
  /** Of models that have limits of their own, and of which configuration that is. */
  byModel: Map<string, { from: RateLimits | undefined; limits: ModelLimits }>
}

/** What the tiers of the configuration mean for an account and a model. */
export class TierTable {
  readonly #entries: ReadonlyMap<string, TierEntry>
  /** Those that are risen to, the highest first. */
  readonly #ladder: readonly { name: string; fromPico: bigint }[]

  constructor(tiers: readonly Tier[]) {
    const first = tiers.find(({ name }) => name === firstTier)
    const all = first === undefined ? [noLimits, ...tiers] : tiers
    this.#entries = new Map(
      all.map((tier) => [tier.name, { tier, general: limitsOfTier(tier), byModel: new Map() }]),
    )
    this.#ladder = all
      .flatMap(({ name, lifetimeTopupPico }) => {
        const fromPico = name === firstTier ? 0n : lifetimeTopupPico
        return fromPico === null ? [] : { name, fromPico }
      })
      .sort((one, other) => (one.fromPico > other.fromPico ? -1 : 1))
  }

  /**
   * The highest of the tier that the account was given and those that its top-ups reach. A tier that is
   * risen to by no sum is above all others: who was given it stays there. One that is not configured (any
   * more) counts as the first.
   */
  tierOf({ tier, lifetimeTopupPico }: Pick<Caller, 'tier' | 'lifetimeTopupPico'>): string {
    const given = this.#ladder.find(({ name }) => name === tier)
    if (given === undefined && this.#entries.has(tier)) return tier
    const reachedPico = max(given?.fromPico ?? 0n, lifetimeTopupPico)
    return this.#ladder.find(({ fromPico }) => fromPico <= reachedPico)?.name ?? firstTier
  }

  /** The limits of a caller for a model; without one, those that are for all models together. */
  limitsOf(caller: Pick<Caller, 'tier' | 'lifetimeTopupPico'>, model?: LimitedModel): ModelLimits {
    const entry = this.#entries.get(this.tierOf(caller))!
    if (model === undefined) return entry.general
    if (model.limits === undefined && !entry.tier.models.has(model.id)) return entry.general
    const known = entry.byModel.get(model.id)
    // What the configuration says of a model may change while the server runs.
    if (known !== undefined && known.from === model.limits) return known.limits
    const limits = limitsOfModel(entry.tier, model)
    entry.byModel.set(model.id, { from: model.limits, limits })
    return limits
  }
}

const noLimits: Tier = { name: firstTier, lifetimeTopupPico: 0n, models: new Map() }

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
