import {
  limitsOfModel,
  limitsOfTier,
  type Caller,
  type LimitedModel,
  type ModelLimits,
  type RateLimits,
  type Tier,
} from './limits.ts'

/** The tier of new accounts, below all others. */
export const firstTier = 'free'

interface TierEntry {
  tier: Tier
  general: ModelLimits
  /** Models with limits of their own, and the configuration that these came from. */
  byModel: Map<string, { from: RateLimits | undefined; limits: ModelLimits }>
}

/** Resolves the configured tiers for an account and a model. */
export class TierTable {
  readonly #entries: ReadonlyMap<string, TierEntry>
  /** Tiers that top-ups lead to, the highest first. */
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
   * The higher of the account's assigned tier and the one that its top-ups reach. A tier that no sum leads to
   * is above all others, so accounts assigned to it keep it. A tier that is not configured (any more) counts
   * as the first.
   */
  tierOf({ tier, lifetimeTopupPico }: Pick<Caller, 'tier' | 'lifetimeTopupPico'>): string {
    const assigned = this.#ladder.find(({ name }) => name === tier)
    if (assigned === undefined && this.#entries.has(tier)) return tier
    const reachedPico = max(assigned?.fromPico ?? 0n, lifetimeTopupPico)
    return this.#ladder.find(({ fromPico }) => fromPico <= reachedPico)?.name ?? firstTier
  }

  /** The limits of a caller for a model, or without a model, those for all models together. */
  limitsOf(caller: Pick<Caller, 'tier' | 'lifetimeTopupPico'>, model?: LimitedModel): ModelLimits {
    const entry = this.#entries.get(this.tierOf(caller))!
    if (model === undefined) return entry.general
    if (model.limits === undefined && !entry.tier.models.has(model.id)) return entry.general
    const known = entry.byModel.get(model.id)
    // The model's configuration may change while the server runs.
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
