import type { ConfigurationInput } from '../../apps/server/configuration/schema/schema.ts'

/** For tests that are not about rate limits, but send requests faster than people do. */
export const noLimits: NonNullable<ConfigurationInput['limits']> = {
  burst_per_key_per_second: 1_000_000,
  tiers: { free: {} },
}
