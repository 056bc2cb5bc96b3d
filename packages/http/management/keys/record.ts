import { formatUsd } from '@turnpike/billing'
import type { ApiKey, ApiKeyStore } from '@turnpike/identity'
import { spendLimitPeriods, spendPeriodAt, unsupportedFieldsRules } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp, usd } from '../validation/fields.ts'

const keyFields = {
  id: Type.String(),
  object: Type.Literal('key'),
  name: Type.String({ description: 'A label.' }),
  key_prefix: Type.String({ description: 'The first 16 characters, to tell keys apart.' }),
  status: Type.Enum(['active', 'revoked']),
  balance_usd: Type.Unsafe<string>({ ...usd, description: 'The credit of this key, in USD.' }),
  created_at: timestamp,
  last_used_at: nullable(timestamp),
  revoked_at: nullable(timestamp),
  expires_at: nullable(timestamp),
  allowed_models: nullable(Type.Array(Type.String(), { description: 'Null: every model.' })),
  spend_limit_usd: nullable(
    Type.Unsafe<string>({ ...usd, description: 'Spend limit per period. Null: all of its credit.' }),
  ),
  spend_limit_period: nullable(
    Type.Enum([...spendLimitPeriods], {
      description: 'A day, an ISO week (from Monday) or a month, all UTC, or the key’s whole life.',
    }),
  ),
  spent_usd: nullable(
    Type.Unsafe<string>({
      ...usd,
      description: 'Spent in the current period, including by the keys that it replaced. Null: no limit.',
    }),
  ),
  spend_limit_resets_at: nullable(
    Type.Integer({ description: 'When the next period begins, in Unix epoch seconds.' }),
  ),
  draws_on: nullable(
    Type.String({
      description:
        'The key whose credit it uses. It then has none of its own (`balance_usd` is 0). ' +
        'Null: its own credit.',
    }),
  ),
  replaced_by: nullable(
    Type.String({
      description: 'The key that replaced it on rotation, and pays for it until it expires (`expires_at`).',
    }),
  ),
  log_prompts: nullable(
    Type.Boolean({
      description: 'Whether its prompts and answers are stored. Null: the account’s setting (`log_prompts`).',
    }),
  ),
  may_top_up: nullable(
    Type.Boolean({
      description:
        'Whether its 402 errors include a payment link (`error.metadata.checkout_url`). Null: the ' +
        'account’s setting (`keys_may_top_up`).',
    }),
  ),
  member_id: nullable(
    Type.String({
      description: 'In an organization: the member who owns it. Null: the organization itself.',
    }),
  ),
  project_id: nullable(Type.String({ description: 'Its project. Null: none.' })),
  handed_over: Type.Boolean({
    description: 'Somebody else owned it before and may know its secret. Rotate the key to prevent that.',
  }),
  unsupported_fields: nullable(
    Type.Enum([...unsupportedFieldsRules], {
      description:
        'How request fields that a vendor does not support are handled: `refuse` them (400), or `drop` ' +
        'them and name them in `x-turnpike-dropped`. Null: the operator’s setting.',
    }),
  ),
}

export const keySchema = Type.Object(keyFields, { title: 'Key' })

/** The response to a creation: the only one that contains the key itself. */
export const createdKeySchema = Type.Object(
  { ...keyFields, raw: Type.String({ description: 'The key itself, only in this response.' }) },
  { title: 'CreatedKey' },
)

type KeyRecord = Static<typeof keySchema>

interface RecordServices {
  apiKeys: Pick<ApiKeyStore, 'readSpend'>
  clock(): number
}

export async function keyRecord(key: ApiKey, services: RecordServices): Promise<KeyRecord> {
  const nowMs = services.clock()
  const spent = await services.apiKeys.readSpend(key.accountId, [key], nowMs)
  return toRecord(key, spent.get(key.id), nowMs)
}

/** All keys must be of one account. */
export async function keyRecords(keys: readonly ApiKey[], services: RecordServices): Promise<KeyRecord[]> {
  const [first] = keys
  if (first === undefined) return []
  const nowMs = services.clock()
  const spent = await services.apiKeys.readSpend(first.accountId, keys, nowMs)
  return keys.map((key) => toRecord(key, spent.get(key.id), nowMs))
}

function toRecord(key: ApiKey, spentPico: bigint | undefined, nowMs: number): KeyRecord {
  const period = key.spendLimitPeriod === null ? undefined : spendPeriodAt(key.spendLimitPeriod, nowMs)
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
    spent_usd: spentPico === undefined ? null : formatUsd(spentPico),
    spend_limit_resets_at:
      period === undefined || period.kind === 'total' ? null : epochSeconds(period.endsAtMs),
    draws_on: key.drawsOn,
    replaced_by: key.replacedBy,
    log_prompts: key.logPrompts,
    may_top_up: key.mayTopUp,
    member_id: key.memberId,
    project_id: key.projectId,
    handed_over: key.handedOver,
    unsupported_fields: key.unsupportedFields,
  }
}
