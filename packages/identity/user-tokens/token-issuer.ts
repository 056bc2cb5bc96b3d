import type { CryptoKey, JWSHeaderParameters } from 'jose'

/** Who signs user tokens, whether elsewhere or in this process. */
export interface TokenIssuer {
  /** What must stand in a token's `iss`, exactly. */
  readonly issuer: string
  /**
   * The public key that a token's header names; undefined where the issuer has no such key.
   * @throws {GatewayError} 503 where the issuer's keys cannot be had
   */
  publicKey(header: JWSHeaderParameters): Promise<CryptoKey | undefined>
  /** @throws {GatewayError} 503 where the issuer cannot be asked and never was */
  endpoints(): Promise<IssuerEndpoints>
}

/** Where a client signs in (RFC 8414, RFC 8628). */
export interface IssuerEndpoints {
  authorizationEndpoint: string | null
  tokenEndpoint: string
  /** Null where the issuer has no device authorization grant. */
  deviceAuthorizationEndpoint: string | null
}
