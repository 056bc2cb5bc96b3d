import type { OrOlder } from './older.ts'
import type { Schemas } from './schema.ts'

/** The period that a key's spend limit applies to. */
export const spendPeriods = ['day', 'week', 'month', 'total'] as const satisfies readonly NonNullable<
  Key['spend_limit_period']
>[]

/** A key as lists show it. */
export type Key = OrOlder<
  Schemas['Key'],
  | 'spent_usd'
  | 'spend_limit_resets_at'
  | 'draws_on'
  | 'replaced_by'
  | 'unsupported_fields'
  | 'log_prompts'
  | 'may_top_up'
  | 'member_id'
  | 'project_id'
  | 'handed_over'
>

/** The response when a key is created, the only one with its secret. */
export type CreatedKey = Key & Pick<Schemas['CreatedKey'], 'raw'>

export const keyFields = [
  'id',
  'name',
  'key_prefix',
  'status',
  'balance_usd',
  'created_at',
  'last_used_at',
  'revoked_at',
  'expires_at',
  'allowed_models',
  'spend_limit_usd',
  'spend_limit_period',
  'spent_usd',
  'spend_limit_resets_at',
  'draws_on',
  'replaced_by',
  'unsupported_fields',
  'log_prompts',
  'member_id',
  'project_id',
  'handed_over',
] as const satisfies readonly (keyof Key)[]

export const createdKeyFields = [...keyFields, 'raw'] as const satisfies readonly (keyof CreatedKey)[]
