import type { DefaultedInteger, Integer, NullableInteger } from '../column-types.ts'

/* What the embedded identity provider keeps, as Kysely sees it. */

export interface IdentityUserTable {
  id: string
  /** In lower case. */
  /** In one spelling; the user's own `id` where somebody else was invited to what they had given. */
  email: string
  /** 0 or 1. */
  email_verified: Integer
  name: string | null
  password_hash: string
  created_at_ms: Integer
  /** Logins of a lower one have ended. */
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
  /** 0 or 1: made with the internal secret. */
  by_secret: DefaultedInteger
}

/** A code that was mailed to a user of the embedded provider. */
export interface IdentityMailedCodeTable {
  code_hash: string
  user_id: string
  /** `verify`, `change` or `password`. */
  purpose: string
  /** Whom it was mailed to; null: the user is gone. */
  email: string | null
  /** SHA-256 of that address, to count by. */
  address_hash: string
  /** Of the user as it was made. */
  login_generation: Integer
  created_at_ms: Integer
  expires_at_ms: Integer
  used_at_ms: NullableInteger
}

/** Where somebody is signed in at the embedded provider, as `LoginSession`. */
export interface IdentitySessionTable {
  id: string
  user_id: string
  login_generation: Integer
  kind: string
  /** What `oidc-provider` calls the browser's session; null: it is no browser's. */
  browser_uid: string | null
  user_agent: string
  address: string
  created_at_ms: Integer
  last_used_at_ms: Integer
  expires_at_ms: Integer
  /** It stays, so that what was under way brings nothing of it back. */
  ended_at_ms: NullableInteger
}
