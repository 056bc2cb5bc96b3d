import type { CryptoKey, JWSHeaderParameters } from 'jose'

/** The issuer of user tokens, remote or in this process. */
export interface TokenIssuer {
  /** The exact value required in a token's `iss`. */
  readonly issuer: string
  /**
   * The public key that a token's header names; undefined if the issuer has no such key.
   * @throws {GatewayError} 503 if the issuer's keys cannot be fetched
   */
  publicKey(header: JWSHeaderParameters): Promise<CryptoKey | undefined>
  /** @throws {GatewayError} 503 if the issuer cannot be reached and never was */
  endpoints(): Promise<IssuerEndpoints>
}

/** Where a client signs in (RFC 8414, RFC 8628). */
export interface IssuerEndpoints {
  authorizationEndpoint: string | null
  tokenEndpoint: string
  /** Null: the issuer has no device authorization grant. */
  deviceAuthorizationEndpoint: string | null
}
