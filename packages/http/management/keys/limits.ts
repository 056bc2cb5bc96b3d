import type { ApiKey } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { epochSeconds, lastTimestamp, nullable, usdAmount } from '../validation/fields.ts'
import { spendLimitPeriods } from './record.ts'

const maxAllowedModels = 200

/** What a key may be limited by, in requests that make and change keys; null takes a limit away. */
export const limitFields = {
  expires_at: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: lastTimestamp,
        'x-expected': 'a time to come, in Unix epoch seconds,',
      }),
    ),
  ),
  allowed_models: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: maxAllowedModels }),
    ),
  ),
  spend_limit_usd: Type.Optional(nullable(usdAmount)),
  spend_limit_period: Type.Optional(nullable(Type.Enum([...spendLimitPeriods]))),
}

const limitsSchema = Type.Object(limitFields)
export type LimitsBody = Static<typeof limitsSchema>

export type KeyLimits = Pick<ApiKey, 'expiresAtMs' | 'allowedModels' | 'spendLimitPico' | 'spendLimitPeriod'>

export const noLimits: KeyLimits = {
  expiresAtMs: null,
  allowedModels: null,
  spendLimitPico: null,
  spendLimitPeriod: null,
}

/**
 * What a request changes of a key's limits: the fields that it names and no others, so that two changes at
 * the same moment do not undo each other.
 */
export function limitChanges(body: LimitsBody, nowMs: number): Partial<KeyLimits> {
  const spendLimit = body.spend_limit_usd !== undefined || body.spend_limit_period !== undefined
  return {
    ...(body.expires_at !== undefined && { expiresAtMs: expiryOf(body.expires_at, nowMs) }),
    ...(body.allowed_models !== undefined && { allowedModels: distinct(body.allowed_models) }),
    ...(spendLimit && noSpendLimit(body)),
  }
}

function expiryOf(expiresAt: number | null, nowMs: number): number | null {
  if (expiresAt === null) return null
  if (expiresAt <= epochSeconds(nowMs)) {
    throw invalidRequest('expires_at', '`expires_at`: expected a time to come, in Unix epoch seconds.')
  }
  return expiresAt * 1000
}

function distinct(models: string[] | null): string[] | null {
  return models === null ? null : [...new Set(models)]
}

/** Spend limits come with the accounts' own surface; one that was taken but not kept would be believed in. */
function noSpendLimit(body: LimitsBody): Pick<KeyLimits, 'spendLimitPico' | 'spendLimitPeriod'> {
  const field = body.spend_limit_usd === null || body.spend_limit_usd === undefined ? 'period' : 'usd'
  const value = field === 'usd' ? body.spend_limit_usd : body.spend_limit_period
  if (value === null || value === undefined) return { spendLimitPico: null, spendLimitPeriod: null }
  throw invalidRequest(
    `spend_limit_${field}`,
    '`spend_limit_usd`: spend limits of keys are not available yet.',
  )
}
