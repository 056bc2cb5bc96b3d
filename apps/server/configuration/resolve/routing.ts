import { profileDeltas, type BreakerRules } from '@turnpike/routing'
import type { Configuration } from '../configuration.ts'
import { defaults } from '../defaults.ts'
import { milliseconds } from './providers.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

/** The longest cooldown if no vendor said how long. After a longer one, callers would wait for nothing. */
const longestBackoffMs = 60_000

export function resolveRouting(input: ConfigurationInput['routing']): Configuration['routing'] {
  return {
    order: input?.order ?? defaults.routing.order,
    breaker: resolveBreaker(input),
    auto: {
      tiers: input?.auto?.tiers ?? {},
      deltas: { ...profileDeltas, ...input?.auto?.deltas },
      baselineModel: input?.auto?.baseline_model ?? null,
      calibration: input?.auto?.calibration ?? 'off',
    },
  }
}

/** Null: no upstream is put in cooldown. */
function resolveBreaker(input: ConfigurationInput['routing']): BreakerRules | null {
  const breaker = { ...defaults.routing.breaker, ...input?.breaker }
  if (!breaker.enabled) return null
  const { failures, probes } = breaker
  return {
    failures,
    probes,
    restMs: milliseconds(breaker.rest_seconds),
    longestBackoffMs,
    longestRestMs: milliseconds(breaker.longest_rest_seconds),
  }
}
