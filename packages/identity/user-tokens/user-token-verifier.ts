import { GatewayError } from '@turnpike/protocol'
import type { JWTPayload } from 'jose'
import type { TokenIssuer } from './token-issuer.ts'
import { claimValues } from './roles-claim.ts'
import { generationClaim, sessionClaim, userTokenOf, type UserToken } from './user-token.ts'

/** Public-key signatures only: with HS256, the public key would be the secret. */
export const tokenAlgorithms = ['RS256', 'ES256', 'EdDSA']
/** A user's token has only a few claims; a longer one is refused. */
const maxTokenLength = 8 * 1024
/** How far the issuer's clock may be from ours. */
const clockSkewSeconds = 5
const maxSubjectLength = 255

export interface UserTokenVerifierOptions {
  issuer: TokenIssuer
  /** The required `aud`: tokens for another resource are refused. */
  resource: string
  /** The claim that lists roles in organizations; absent: no claim does. */
  rolesClaim?: string | undefined
  /** The tokens are the embedded provider's, so they say which login they belong to. */
  knowsLogins?: boolean
  /** Unix epoch milliseconds. */
  clock: () => number
}

/** Verifies users' tokens: signature, issuer, audience, time (RFC 7519, RFC 9068). */
export class UserTokenVerifier {
  readonly #options: UserTokenVerifierOptions

  constructor(options: UserTokenVerifierOptions) {
    this.#options = options
  }

  /**
   * Verifies the token and returns what it says about its user.
   * @throws {GatewayError} 401 with `WWW-Authenticate` (RFC 6750, section 3); 503 if the issuer's keys are
   * needed and cannot be fetched
   */
  async verify(raw: string): Promise<UserToken> {
    return (await verifyToken(raw, this.#options)).user
  }
}

/** The token's user, and all its claims. @throws {GatewayError} as `UserTokenVerifier.verify` */
export async function verifyToken(
  raw: string,
  options: UserTokenVerifierOptions,
): Promise<{ user: UserToken; claims: JWTPayload }> {
  if (raw.length > maxTokenLength)
    throw invalidToken(`The token is longer than ${maxTokenLength} characters.`)
  const claims = await claimsOf(raw, options)
  const { sub: subject } = claims
  if (typeof subject !== 'string' || subject === '' || subject.length > maxSubjectLength)
    throw invalidToken('The token has no subject.')
  const { rolesClaim } = options
  const roles = rolesClaim === undefined ? undefined : claimValues(claims, rolesClaim)
  const user: UserToken = {
    ...userTokenOf(subject, claims),
    ...(roles !== undefined && { roles, issuedAtS: claims.iat ?? 0 }),
  }
  return {
    user: options.knowsLogins === true ? { ...user, ...loginOf(claims) } : user,
    claims,
  }
}

async function claimsOf(
  raw: string,
  { issuer, resource, clock }: UserTokenVerifierOptions,
): Promise<JWTPayload> {
  // Loaded with the first token: neither a start nor serving keys needs it.
  const { jwtVerify, errors } = await import('jose')
  try {
    const { payload } = await jwtVerify(
      raw,
      async (header) => {
        const key = await issuer.publicKey(header)
        if (key === undefined)
          throw invalidToken('The token is signed with a key that its issuer does not publish.')
        return key
      },
      {
        issuer: issuer.issuer,
        audience: resource,
        algorithms: tokenAlgorithms,
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(clock()),
        requiredClaims: ['exp', 'sub'],
      },
    )
    return payload
  } catch (error) {
    if (error instanceof GatewayError) throw error
    if (error instanceof errors.JWTExpired) throw invalidToken('The token has expired.', error)
    if (error instanceof errors.JWTClaimValidationFailed)
      throw invalidToken(`The token's \`${error.claim}\` does not match this gateway.`, error)
    // If the key's type does not fit the header's algorithm, jose throws a TypeError.
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw invalidToken('The token is not valid.', error)
    throw error
  }
}

/** We signed these claims ourselves, so a missing generation means that it was never raised. */
function loginOf(claims: JWTPayload): Pick<UserToken, 'loginGeneration' | 'sessionId'> {
  const { [generationClaim]: generation, [sessionClaim]: sessionId } = claims
  return {
    loginGeneration: typeof generation === 'number' ? generation : 0,
    ...(typeof sessionId === 'string' && { sessionId }),
  }
}

/** Without a token there is no error code, since no token was wrong (RFC 6750, section 3.1). */
export function missingToken(): GatewayError {
  const message = 'This endpoint requires a user token: `Authorization: Bearer <token>`.'
  return new GatewayError('authentication_error', message, { headers: { 'www-authenticate': 'Bearer' } })
}

export function invalidToken(message: string, cause?: Error): GatewayError {
  // Our own sentences contain no double quote, so they need no escaping.
  const challenge = `Bearer error="invalid_token", error_description="${message.replaceAll('`', "'")}"`
  return new GatewayError('authentication_error', message, {
    headers: { 'www-authenticate': challenge },
    ...(cause === undefined ? {} : { cause, detail: cause.message }),
  })
}
