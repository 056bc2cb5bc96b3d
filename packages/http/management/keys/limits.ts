import type { ApiKey } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { positiveAmountOf } from '../amount.ts'
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
export function limitChanges(current: KeyLimits, body: LimitsBody, nowMs: number): Partial<KeyLimits> {
  const spendLimit = body.spend_limit_usd !== undefined || body.spend_limit_period !== undefined
  return {
    ...(body.expires_at !== undefined && { expiresAtMs: expiryOf(body.expires_at, nowMs) }),
    ...(body.allowed_models !== undefined && { allowedModels: distinct(body.allowed_models) }),
    ...(spendLimit && spendLimitAfter(current, body)),
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

/** Amount and period are set together or not at all; without a period, it is for the key's whole life. */
function spendLimitAfter(
  current: KeyLimits,
  body: LimitsBody,
): Pick<KeyLimits, 'spendLimitPico' | 'spendLimitPeriod'> {
  const { spend_limit_usd: amount, spend_limit_period: period } = body
  const amountPico =
    amount === undefined
      ? current.spendLimitPico
      : amount === null
        ? null
        : positiveAmountOf(amount, 'spend_limit_usd')
  if (amountPico === null) {
    if (period === undefined || period === null) return { spendLimitPico: null, spendLimitPeriod: null }
    throw invalidRequest(
      'spend_limit_period',
      '`spend_limit_period` needs a `spend_limit_usd` to go with it.',
    )
  }
  if (period === null) {
    throw invalidRequest(
      'spend_limit_period',
      '`spend_limit_period` can be null only with `spend_limit_usd`.',
    )
  }
  return { spendLimitPico: amountPico, spendLimitPeriod: period ?? current.spendLimitPeriod ?? 'total' }
}
