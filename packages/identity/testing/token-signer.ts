import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose'
import { RemoteIssuer, type RemoteIssuerOptions } from '../user-tokens/remote-issuer.ts'

export const issuerAddress = 'https://issuer.example/tenant'
export const resource = 'https://gateway.example'
/** 2026-03-10T12:00:00Z */
export const nowMs = Date.UTC(2026, 2, 10, 12)
export const nowSeconds = nowMs / 1000

export interface Signer {
  algorithm: string
  keyId: string
  privateKey: CryptoKey
  publicJwk: JWK
  sign(claims?: JWTPayload, header?: Record<string, unknown>): Promise<string>
}

/** The claims of a valid token. */
export const goodClaims: JWTPayload = {
  iss: issuerAddress,
  aud: resource,
  sub: 'user-1',
  iat: nowSeconds,
  exp: nowSeconds + 3600,
}

export async function newSigner(algorithm: string, keyId: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  return {
    algorithm,
    keyId,
    privateKey,
    publicJwk: { ...(await exportJWK(publicKey)), kid: keyId, use: 'sig', alg: algorithm },
    sign: (claims = {}, header = {}) =>
      new SignJWT({ ...goodClaims, ...claims })
        .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'at+jwt', ...header })
        .sign(privateKey),
  }
}

/** An issuer that serves documents from a table, and counts its requests. */
export interface FakeIssuer {
  issuer: RemoteIssuer
  clock: { nowMs: number }
  /** The keys that it publishes. */
  keys: JWK[]
  metadata: Record<string, unknown>
  asked: string[]
  errors: unknown[]
  /** While true, it cannot be reached. */
  isDown: boolean
}

export function newFakeIssuer(keys: JWK[], options: Partial<RemoteIssuerOptions> = {}): FakeIssuer {
  const fake: Omit<FakeIssuer, 'issuer'> = {
    clock: { nowMs },
    keys,
    metadata: {
      issuer: issuerAddress,
      jwks_uri: 'https://keys.example/jwks',
      token_endpoint: `${issuerAddress}/token`,
      authorization_endpoint: `${issuerAddress}/auth`,
      device_authorization_endpoint: `${issuerAddress}/device`,
    },
    asked: [],
    errors: [],
    isDown: false,
  }
  const issuer = new RemoteIssuer({
    issuer: issuerAddress,
    async fetchJson(address) {
      fake.asked.push(address)
      // One turn of the event loop, as over a network.
      await new Promise((resolve) => setImmediate(resolve))
      if (fake.isDown) throw new Error('connection refused')
      return address === fake.metadata['jwks_uri'] ? { keys: fake.keys } : fake.metadata
    },
    clock: () => fake.clock.nowMs,
    onError: (error) => fake.errors.push(error),
    ...options,
  })
  return Object.assign(fake, { issuer })
}
