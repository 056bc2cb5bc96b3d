import type { OrOlder } from './older.ts'
import type { paths, Schemas } from './schema.ts'

/** `GET /api/v1/me`, without the identity provider's subject, whose field is named after the provider. */
export type Account = OrOlder<Schemas['Me'], 'email_verified'>

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
] as const satisfies readonly (keyof Account)[]

/** `GET /api/v1/balance`. */
export type Balance = OrOlder<
  paths['/api/v1/balance']['get']['responses'][200]['content']['application/json'],
  'unassigned_usd'
>

export const balanceFields = [
  'balance_usd',
  'currency',
  'unassigned_usd',
] as const satisfies readonly (keyof Balance)[]
