/** One of `GET /api/v1/me/sessions`: where an account is signed in. */
export interface Session {
  id: string
  /** `browser`, `command_line`, `device` or `app`. */
  kind: string
  name: string | null
  user_agent: string | null
  address: string | null
  created_at: number
  last_used_at: number
  current: boolean
  key_id: string | null
  scopes: string[] | null
  /** The organization that an app acts for; null: the account itself. */
  organization_id: string | null
  /** Null also of one that the person left. */
  organization_name: string | null
}

export const sessionFields = [
  'id',
  'kind',
  'name',
  'user_agent',
  'address',
  'created_at',
  'last_used_at',
  'current',
  'key_id',
  'scopes',
  'organization_id',
  'organization_name',
] as const

/** `GET /api/v1/me/closing`: what closing the account would mean. */
export interface AccountClosing {
  account_id: string
  /** What is to be typed. */
  confirm: string
  credit_usd: string
  active_keys: number
  sessions: number
  open_topups: number
  erased: string[]
  kept: string[]
}

/** `POST /api/v1/me/close`. */
export interface ClosedAccount {
  account_id: string
  credit_usd: string
}

export const closedAccountFields = ['account_id', 'credit_usd'] as const
