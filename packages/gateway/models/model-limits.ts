import type { Caller, LimitKind } from '@turnpike/limits'
import type { CatalogModel } from '@turnpike/vendors'
import type { Gateway } from '../context/gateway.ts'

/** The part of an account that determines its tier. */
export type LimitsOwner = Pick<Caller, 'tier' | 'lifetimeTopupPico'>

/** A model's limits for the caller's account, as listed; null for no limit. */
interface ListedLimits {
  requests_per_minute: number | null
  input_tokens_per_minute: number | null
  output_tokens_per_minute: number | null
}

export function describeLimits(
  owner: LimitsOwner,
  model: CatalogModel,
  { limiter }: Pick<Gateway, 'limiter'>,
): ListedLimits {
  const { limits } = limiter.tiers.limitsOf(owner, model)
  const of = (kind: LimitKind): number | null => limits.find((one) => one.kind === kind)?.perMinute ?? null
  return {
    requests_per_minute: of('requests'),
    input_tokens_per_minute: of('input-tokens'),
    output_tokens_per_minute: of('output-tokens'),
  }
}
