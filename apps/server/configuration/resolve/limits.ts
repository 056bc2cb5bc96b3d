import { parseUsd } from '@turnpike/billing'
import type { RateLimits, Tier } from '@turnpike/limits'
import type { Configuration } from '../configuration.ts'
import { defaults } from '../defaults.ts'
import { milliseconds } from './providers.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

type LimitsInput = NonNullable<ConfigurationInput['limits']>
type RateLimitsInput = NonNullable<NonNullable<ConfigurationInput['models']>[string]['limits']>

export function resolveLimits(input: LimitsInput = {}): Configuration['limits'] {
  const tiers: NonNullable<LimitsInput['tiers']> = input.tiers ?? defaults.limits.tiers
  return {
    burstPerKeyPerSecond: input.burst_per_key_per_second ?? defaults.limits.burst_per_key_per_second,
    burstBodyBytes: input.burst_body_bytes ?? defaults.limits.burst_body_bytes,
    tiers: Object.entries(tiers).map(([name, tier]) => resolveTier(name, tier)),
  }
}

export function resolveRedis(input: ConfigurationInput['redis']): Configuration['redis'] {
  if (input === undefined) return null
  return {
    url: input.url,
    timeoutMs: milliseconds(input.timeout_seconds ?? defaults.redis.timeout_seconds),
  }
}

function resolveTier(name: string, input: NonNullable<LimitsInput['tiers']>[string]): Tier {
  const { lifetime_topup_usd: topupUsd, models = {} } = input
  return {
    name,
    ...resolveRateLimits(input),
    lifetimeTopupPico: topupUsd === undefined ? null : parseUsd(topupUsd),
    models: new Map(Object.entries(models).map(([id, limits]) => [id, resolveRateLimits(limits)])),
  }
}

export function resolveRateLimits(input: RateLimitsInput): RateLimits {
  const limits: RateLimits = {}
  if (input.requests_per_minute !== undefined) limits.requestsPerMinute = input.requests_per_minute
  if (input.input_tokens_per_minute !== undefined) limits.inputTokensPerMinute = input.input_tokens_per_minute
  if (input.output_tokens_per_minute !== undefined)
    limits.outputTokensPerMinute = input.output_tokens_per_minute
  return limits
}

/** Warns the operator of limits that are effectively higher than configured. */
export function limitsWarnings(workers: number, { redis }: ConfigurationInput): string[] {
  if (workers === 1 || redis !== undefined) return []
  return [
    `limits: without redis each of the ${workers} workers counts separately, so callers can exceed ` +
      `the limits: set redis.url`,
  ]
}
