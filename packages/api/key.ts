/** In what time a key may spend its limit. */
export const spendPeriods = ['day', 'week', 'month', 'total'] as const

/** A key as it is listed. */
export interface Key {
  id: string
  object: 'key'
  name: string
  key_prefix: string
  status: 'active' | 'revoked'
  balance_usd: string
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
  expires_at: number | null
  allowed_models: string[] | null
  spend_limit_usd: string | null
  /** `day`, `week`, `month` or `total`. */
  spend_limit_period: string | null
  /** In the present period; null without a limit. */
  spent_usd?: string | null
  /** When the next period begins; null for `total`. */
  spend_limit_resets_at?: number | null
  /** The key whose credit it uses; null: its own. */
  draws_on?: string | null
  /** The key that took its place when it was rotated. */
  replaced_by?: string | null
  /** `refuse` or `drop`; null: as the gateway has it. */
  unsupported_fields?: string | null
  /** Whether its prompts and answers are kept; null: as its account has it. */
  log_prompts?: boolean | null
  /** Of an organization: whose it is; null: its own. */
  member_id?: string | null
  project_id?: string | null
  /** Somebody else had it before, and may know its secret. */
  handed_over?: boolean
}

/** As it is answered once, when it was made. */
export interface CreatedKey extends Key {
  raw: string
}

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
] as const

export const createdKeyFields = [...keyFields, 'raw'] as const
