import type { Schemas } from './schema.ts'

/** `GET /api/v1/auto-topup`. */
export type AutoTopupState = Schemas['AutoTopup']

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
] as const satisfies readonly (keyof AutoTopupState)[]

/** `GET /api/v1/payment-methods`. */
export type PaymentMethod = Schemas['PaymentMethod']

export const paymentMethodFields = [
  'id',
  'kind',
  'brand',
  'last4',
  'expires_month',
  'sandbox',
  'created_at',
] as const satisfies readonly (keyof PaymentMethod)[]
