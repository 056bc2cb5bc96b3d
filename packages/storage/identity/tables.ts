import type { DefaultedInteger, Integer, NullableInteger } from '../column-types.ts'

/* The tables of the embedded identity provider, as Kysely sees them. */

export interface IdentityUserTable {
  id: string
  /** In lower case. */
  /** In canonical spelling; the user's own `id` if somebody else was invited to the address they gave. */
  email: string
  /** 0 or 1. */
  email_verified: Integer
  name: string | null
  password_hash: string
  created_at_ms: Integer
  /** Logins of a lower generation have ended. */
  login_generation: DefaultedInteger
}

export interface IdentityStateTable {
  kind: string
  id: string
  /** JSON object. */
  payload: string
  uid: string | null
  user_code: string | null
  grant_id: string | null
  consumed_at_ms: NullableInteger
  expires_at_ms: NullableInteger
}

export interface IdentitySecretTable {
  purpose: string
  number: Integer
  secret: string
  created_at_ms: Integer
}

export interface IdentityInviteTable {
  id: string
  code_hash: string
  email: string | null
  created_at_ms: Integer
  expires_at_ms: Integer
  used_at_ms: NullableInteger
  used_by: string | null
  /** 0 or 1: created with the internal secret. */
  by_secret: DefaultedInteger
}

/** A code that was mailed to a user of the embedded provider. */
export interface IdentityMailedCodeTable {
  code_hash: string
  user_id: string
  /** `verify`, `change` or `password`. */
  purpose: string
  /** The address it was mailed to; null: the user is deleted. */
  email: string | null
  /** SHA-256 of that address, for counting. */
  address_hash: string
  /** The user's login generation when the code was created. */
  login_generation: Integer
  created_at_ms: Integer
  expires_at_ms: Integer
  used_at_ms: NullableInteger
}

/** A login at the embedded provider, as `LoginSession`. */
export interface IdentitySessionTable {
  id: string
  user_id: string
  login_generation: Integer
  kind: string
  /** The identifier of the browser's session in `oidc-provider`; null: not from a browser. */
  browser_uid: string | null
  user_agent: string
  address: string
  created_at_ms: Integer
  last_used_at_ms: Integer
  expires_at_ms: Integer
  /** The row stays after its end, so that requests still in progress cannot revive it. */
  ended_at_ms: NullableInteger
}
