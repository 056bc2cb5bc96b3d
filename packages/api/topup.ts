import type { Schemas } from './schema.ts'

/** `POST /api/v1/topup`, `GET /api/v1/topup/{session_id}`. */
export type Topup = Schemas['Topup']

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
] as const satisfies readonly (keyof Topup)[]
