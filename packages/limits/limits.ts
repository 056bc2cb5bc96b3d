import type { Rate } from './bucket.ts'

/** What a limit counts. */
export type LimitKind = 'burst' | 'requests' | 'input-tokens' | 'output-tokens'

/** A limit of an account or, for a burst, of a key. */
export interface Limit extends Rate {
  kind: LimitKind
  /** The only model that it applies to; undefined: all models together. */
  model: string | undefined
}

/** As configured; an absent member is unlimited. */
export interface RateLimits {
  requestsPerMinute?: number
  inputTokensPerMinute?: number
  outputTokensPerMinute?: number
}

/** The limits of one model in one tier. */
export interface ModelLimits {
  tier: string
  /** Without the unlimited ones. */
  limits: readonly Limit[]
}

/** A tier of accounts, as configured. */
export interface Tier extends RateLimits {
  name: string
  /** Accounts whose top-ups reach this amount get the tier; null: by assignment only. */
  lifetimeTopupPico: bigint | null
  /** By model: these replace the tier's general limits. */
  models: ReadonlyMap<string, RateLimits>
}

/** Whose limits apply: what is known about an API key. */
export interface Caller {
  /** Of the key. */
  id: string
  accountId: string
  /** The tier assigned by an operator or at the account's creation. */
  tier: string
  /** The sum of its top-ups, minus refunds. */
  lifetimeTopupPico: bigint
}

/** The part of a model that limits need. */
export interface LimitedModel {
  id: string
  /** For every tier without limits of its own for this model. */
  limits?: RateLimits
}

const kinds = [
  ['requests', 'requestsPerMinute'],
  ['input-tokens', 'inputTokensPerMinute'],
  ['output-tokens', 'outputTokensPerMinute'],
] as const

/** A bucket holds a minute's worth, so an idle account may use that much at once. */
function limitOf(kind: LimitKind, perMinute: number, model?: string): Limit {
  return { kind, perMinute, capacity: perMinute, model }
}

/** The limits of a model: its own (from the tier, otherwise from the model), then those of the tier. */
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

/** The limits of models without any of their own. */
export function limitsOfTier(tier: Tier): ModelLimits {
  const limits = kinds.flatMap(([kind, name]) => (tier[name] === undefined ? [] : limitOf(kind, tier[name])))
  return { tier: tier.name, limits }
}

export function burstLimit(perSecond: number): Limit {
  return { kind: 'burst', perMinute: perSecond * 60, capacity: perSecond, model: undefined }
}
