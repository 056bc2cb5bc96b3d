/** `POST /api/v1/topup`. */
export interface TopupSession {
  checkout_url: string
  session_id: string
  amount_usd: string
  /** Unix epoch seconds. */
  expires_at: number
}

/** `GET /api/v1/topup/{session_id}`. */
export interface TopupState extends TopupSession {
  status: 'open' | 'paid' | 'expired' | 'refunded'
}

export const topupFields = ['checkout_url', 'session_id', 'amount_usd', 'expires_at', 'status'] as const
