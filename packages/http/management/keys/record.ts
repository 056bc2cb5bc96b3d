import { formatUsd } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp, usd } from '../validation/fields.ts'

export const spendLimitPeriods = ['day', 'week', 'month', 'total'] as const

const keyFields = {
  id: Type.String(),
  object: Type.Literal('key'),
  name: Type.String({ description: 'A label of your own.' }),
  key_prefix: Type.String({ description: 'The first 16 characters, to tell keys apart.' }),
  status: Type.Enum(['active', 'revoked']),
  balance_usd: Type.Unsafe<string>({ ...usd, description: 'The credit of this key, in USD.' }),
  created_at: timestamp,
  last_used_at: nullable(timestamp),
  revoked_at: nullable(timestamp),
  expires_at: nullable(timestamp),
  allowed_models: nullable(Type.Array(Type.String(), { description: 'Null: every model.' })),
  spend_limit_usd: nullable(usd),
  spend_limit_period: nullable(Type.Enum([...spendLimitPeriods])),
}

export const keySchema = Type.Object(keyFields, { title: 'Key' })

/** The answer to a creation, the only one that ever holds the key itself. */
export const createdKeySchema = Type.Object(
  { ...keyFields, raw: Type.String({ description: 'The key itself, in this answer only.' }) },
  { title: 'CreatedKey' },
)

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
