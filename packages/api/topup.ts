/** `POST /api/v1/topup`. */
export interface TopupSession {
  checkout_url: string
  session_id: string
  amount_usd: string
  /** Unix epoch seconds. */
  expires_at: number
}

/** `GET /api/v1/topup/{session_id}`. */
export interface TopupState extends Omit<TopupSession, 'checkout_url'> {
  /** Null once it is of no use. */
  checkout_url: string | null
  status: 'open' | 'paid' | 'expired' | 'refunded'
}

export const topupFields = [
  'checkout_url',
  'session_id',
  'amount_usd',
  'expires_at',
  'status',
  'key_id',
  'paid_usd',
  'refunded_usd',
  'disputed_usd',
  'sandbox',
  'created_at',
  'paid_at',
] as const
