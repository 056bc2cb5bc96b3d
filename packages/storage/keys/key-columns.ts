import type { ApiKeyChanges } from '@turnpike/identity'
import { sql } from 'kysely'

/** If only the amount or only the period is given, the other one stays as stored. */
export function halfOfLimit({ spendLimitPico, spendLimitPeriod }: ApiKeyChanges) {
  if (spendLimitPico !== undefined && spendLimitPico !== null && spendLimitPeriod === undefined)
    return { spend_limit_period: sql<string>`coalesce(spend_limit_period, 'total')` }
  if (spendLimitPico === undefined && spendLimitPeriod !== undefined)
    return {
      spend_limit_period: sql<
        string | null
      >`CASE WHEN spend_limit_pico IS NOT NULL THEN ${spendLimitPeriod} END`,
    }
  return {}
}

/** Columns for the given fields only. */
export function limitColumns(changes: Omit<ApiKeyChanges, 'name' | 'drawsOn'>) {
  return {
    ...(changes.expiresAtMs !== undefined && { expires_at_ms: changes.expiresAtMs }),
    ...(changes.allowedModels !== undefined && {
      allowed_models: changes.allowedModels === null ? null : JSON.stringify(changes.allowedModels),
    }),
    ...(changes.spendLimitPico !== undefined && { spend_limit_pico: changes.spendLimitPico }),
    ...(changes.spendLimitPeriod !== undefined && { spend_limit_period: changes.spendLimitPeriod }),
    ...(changes.unsupportedFields !== undefined && { unsupported_fields: changes.unsupportedFields }),
    ...(changes.logPrompts !== undefined && {
      log_prompts: changes.logPrompts === null ? null : Number(changes.logPrompts),
    }),
    ...(changes.mayTopUp !== undefined && {
      may_top_up: changes.mayTopUp === null ? null : Number(changes.mayTopUp),
    }),
  }
}

/** A key whose grace period ends at a time expires at that time. */
export function earliest(...timesMs: (bigint | null)[]): number | null {
  const known = timesMs.filter((timeMs) => timeMs !== null)
  return known.length === 0 ? null : Math.min(...known.map(Number))
}

export function toModels(text: string | null): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[])
}
