import { canonicalEmail, isEmail } from '../callers/email-address.ts'

/** What a valid token says of its user. */
export interface UserToken {
  /** `sub`: the user's identifier at the issuer. */
  subject: string
  email: string | null
  /** Whether the issuer vouches for the address: without it, anybody may have written anything. */
  emailVerified: boolean
  name: string | null
  /** Values of the claim that the configuration names for roles; absent: it names none, or none are told. */
  roles?: string[]
  /** Beside roles: `iat`, Unix epoch seconds; 0 where there is none. */
  issuedAtS?: number
  /** Of the embedded provider's tokens alone: which of its user's logins the token is of. */
  loginGeneration?: number
  /** Of the embedded provider's tokens: the session that it is of. Absent: it is an app's, or older. */
  sessionId?: string
}

/** A claim of the embedded provider's; absent: 0. */
export const generationClaim = 'login_generation'
/** A claim of the embedded provider's. */
export const sessionClaim = 'session_id'
const maxNameLength = 100

/**
 * The profile claims of OpenID Connect Core, section 5.1; what is no text of use counts as absent. Only the
 * boolean `true` vouches for an address: there are issuers that send `"false"`, and it would be true.
 */
export function userTokenOf(subject: string, claims: Record<string, unknown>): UserToken {
  const { email: address, email_verified: verified, name } = claims
  const email = typeof address === 'string' && isEmail(address) ? canonicalEmail(address) : null
  return {
    subject,
    email,
    emailVerified: email !== null && verified === true,
    name: typeof name === 'string' ? shorten(name.trim()) : null,
  }
}

function shorten(name: string): string | null {
  return name === '' ? null : Array.from(name).slice(0, maxNameLength).join('')
}
