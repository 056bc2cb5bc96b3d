/** `GET /api/v1/auto-topup`. */
export interface AutoTopupState {
  enabled: boolean
  threshold_usd: string | null
  amount_usd: string | null
  monthly_cap_usd: string | null
  payment_method_id: string | null
  state: 'idle' | 'charging' | 'needs_action' | 'waiting' | 'stopped'
  failure: string | null
  attempts_failed: number
  /** Unix epoch seconds. */
  next_attempt_at: number | null
  charged_this_month_usd: string
  is_capped: boolean
  action_url: string | null
  session_id: string | null
}

export const autoTopupFields = [
  'enabled',
  'threshold_usd',
  'amount_usd',
  'monthly_cap_usd',
  'payment_method_id',
  'state',
  'failure',
  'attempts_failed',
  'next_attempt_at',
  'charged_this_month_usd',
  'is_capped',
  'action_url',
  'session_id',
] as const

/** `GET /api/v1/payment-methods`. */
export interface PaymentMethod {
  id: string
  kind: string
  brand: string | null
  last4: string | null
  expires_month: string | null
  sandbox: boolean
  created_at: number
}

export const paymentMethodFields = [
  'id',
  'kind',
  'brand',
  'last4',
  'expires_month',
  'sandbox',
  'created_at',
] as const
