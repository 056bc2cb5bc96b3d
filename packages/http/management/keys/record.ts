import { formatUsd } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp, usd } from '../validation/fields.ts'

export const spendLimitPeriods = ['day', 'week', 'month', 'total'] as const

const keyFields = {
  id: Type.String(),
  object: Type.Literal('key'),
  name: Type.String(),
  key_prefix: Type.String(),
  status: Type.Enum(['active', 'revoked']),
  balance_usd: usd,
  created_at: timestamp,
  last_used_at: nullable(timestamp),
  revoked_at: nullable(timestamp),
  expires_at: nullable(timestamp),
  allowed_models: nullable(Type.Array(Type.String())),
  spend_limit_usd: nullable(usd),
  spend_limit_period: nullable(Type.Enum([...spendLimitPeriods])),
}

export const keySchema = Type.Object(keyFields)

/** The answer to a creation, the only one that ever holds the key itself. */
export const createdKeySchema = Type.Object({ ...keyFields, raw: Type.String() })

export function keyRecord(key: ApiKey): Static<typeof keySchema> {
  return {
    id: key.id,
    object: 'key',
    name: key.name,
    key_prefix: key.keyPrefix,
    status: key.status,
    balance_usd: formatUsd(key.balancePico),
    created_at: epochSeconds(key.createdAtMs),
    last_used_at: epochSecondsOrNull(key.lastUsedAtMs),
    revoked_at: epochSecondsOrNull(key.revokedAtMs),
    expires_at: epochSecondsOrNull(key.expiresAtMs),
    allowed_models: key.allowedModels,
    spend_limit_usd: key.spendLimitPico === null ? null : formatUsd(key.spendLimitPico),
    spend_limit_period: key.spendLimitPeriod,
  }
}
