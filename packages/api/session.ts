import type { paths, Schemas } from './schema.ts'

/** An entry of `GET /api/v1/me/sessions`: a device where an account is signed in. */
export type Session = Schemas['Session']

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
] as const satisfies readonly (keyof Session)[]

/** `GET /api/v1/me/closing`: the consequences of closing the account. */
export type AccountClosing = Schemas['AccountClosing']

/** `POST /api/v1/me/close`. */
export type ClosedAccount = paths['/api/v1/me/close']['post']['responses'][200]['content']['application/json']

export const closedAccountFields = [
  'account_id',
  'credit_usd',
] as const satisfies readonly (keyof ClosedAccount)[]
