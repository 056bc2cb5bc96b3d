import { canonicalEmail, isEmail } from '../callers/email-address.ts'

/** What a valid token says about its user. */
export interface UserToken {
  /** `sub`: the user's identifier at the issuer. */
  subject: string
  email: string | null
  /** Whether the issuer vouches for the address. If not, the user may have entered anything. */
  emailVerified: boolean
  name: string | null
  /** Values of the configured roles claim. Absent: none is configured, or the token left them out. */
  roles?: string[]
  /** Present together with roles: `iat`, in Unix epoch seconds; 0 if there is none. */
  issuedAtS?: number
  /** Embedded provider only: the generation of the user's logins that the token belongs to. */
  loginGeneration?: number
  /** Embedded provider only: the token's session. Absent: it is an app's, or older. */
  sessionId?: string
}

/** A claim in the embedded provider's tokens; absent: 0. */
export const generationClaim = 'login_generation'
/** A claim in the embedded provider's tokens. */
export const sessionClaim = 'session_id'
const maxNameLength = 100

/**
 * The profile claims of OpenID Connect Core, section 5.1; a value that is not a usable text counts as absent.
 * Only the boolean `true` marks an address as verified: some issuers send the text `"false"`, which would be
 * truthy.
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
