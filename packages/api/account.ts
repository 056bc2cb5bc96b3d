/** `GET /api/v1/me`. The subject at the identity provider has a name of the provider's, so it is not here. */
export interface Account {
  id: string
  display_name: string | null
  email: string | null
  /** Absent from an older gateway. */
  email_verified?: boolean
  balance_usd: string
  unassigned_usd: string
  status: string
  tier: string
  created_at: number
}

export const accountFields = [
  'id',
  'display_name',
  'email',
  'email_verified',
  'balance_usd',
  'unassigned_usd',
  'status',
  'tier',
  'created_at',
] as const

/** `GET /api/v1/balance`. */
export interface Balance {
  balance_usd: string
  currency: string
  unassigned_usd?: string
}

export const balanceFields = ['balance_usd', 'currency', 'unassigned_usd'] as const
