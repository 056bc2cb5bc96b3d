import type { Rate } from './bucket.ts'

/** What is counted. */
export type LimitKind = 'burst' | 'requests' | 'input-tokens' | 'output-tokens'

/** A limit as it applies to an account or, as a burst, to a key. */
export interface Limit extends Rate {
  kind: LimitKind
  /** The model it is for alone; undefined: it counts all models together. */
  model: string | undefined
}

/** As configured; what is absent is without limit. */
export interface RateLimits {
  requestsPerMinute?: number
  inputTokensPerMinute?: number
  outputTokensPerMinute?: number
}

/** What holds for one model in one tier. */
export interface ModelLimits {
  tier: string
  /** Only those there are. */
  limits: readonly Limit[]
}

/** A tier of accounts, as configured. */
export interface Tier extends RateLimits {
  name: string
  /** An account rises to it once its top-ups amount to this; null: by assignment only. */
  lifetimeTopupPico: bigint | null
  /** By model: in place of what is said of the tier. */
  models: ReadonlyMap<string, RateLimits>
}

/** Whose limits they are: what is known of an API key. */
export interface Caller {
  /** Of the key. */
  id: string
  accountId: string
  /** The tier that it was given, by an operator or at its creation. */
  tier: string
  /** All its top-ups together, less what went back. */
  lifetimeTopupPico: bigint
}

/** A model, as far as limits are concerned. */
export interface LimitedModel {
  id: string
  /** For every tier that does not say its own. */
  limits?: RateLimits
}

const kinds = [
  ['requests', 'requestsPerMinute'],
  ['input-tokens', 'inputTokensPerMinute'],
  ['output-tokens', 'outputTokensPerMinute'],
] as const

/** A bucket holds a minute's worth: who was idle may take that at once. */
function limitOf(kind: LimitKind, perMinute: number, model?: string): Limit {
  return { kind, perMinute, capacity: perMinute, model }
}

/** Limits of a model: its own, said by the tier or else by the model, then those of the tier. */
export function limitsOfModel(tier: Tier, model: LimitedModel): ModelLimits {
  const byTier = tier.models.get(model.id)
  const limits: Limit[] = []
  for (const [kind, name] of kinds) {
    const own = byTier?.[name] ?? model.limits?.[name]
    if (own !== undefined) limits.push(limitOf(kind, own, model.id))
    else if (tier[name] !== undefined) limits.push(limitOf(kind, tier[name]))
  }
  return { tier: tier.name, limits }
}

/** Limits of the models of which neither the tier nor the configuration says more. */
export function limitsOfTier(tier: Tier): ModelLimits {
  const limits = kinds.flatMap(([kind, name]) => (tier[name] === undefined ? [] : limitOf(kind, tier[name])))
  return { tier: tier.name, limits }
}

export function burstLimit(perSecond: number): Limit {
  return { kind: 'burst', perMinute: perSecond * 60, capacity: perSecond, model: undefined }
}
