/** What an account can be told of by itself. */
export const alertKinds = ['balance', 'runway', 'unusual_spend', 'key_expiry'] as const

/** `GET /api/v1/alerts`. */
export interface AlertRule {
  kind: (typeof alertKinds)[number]
  enabled: boolean
  /** Of `balance`. */
  threshold_usd: string | null
  /** Of `runway` and `key_expiry`. */
  days: number | null
  /** It was told, and still holds. */
  raised: boolean
}

export const alertFields = ['kind', 'enabled', 'threshold_usd', 'days', 'raised'] as const
