import { GatewayError } from '@turnpike/protocol'
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters, LocalJWKSet } from 'jose'
import { findKey } from './find-key.ts'
import type { IssuerEndpoints, TokenIssuer } from './token-issuer.ts'

/** Keys and addresses older than this are refreshed in the background of the request that needs them. */
const freshForMs = 60 * 60 * 1000
/** The shortest time between two fetches, however many unknown key identifiers arrive. */
const attemptEveryMs = 10_000
const maxKeys = 100

export interface RemoteIssuerOptions {
  issuer: string
  /** Fetches JSON without redirects, limited in time and size. Rejects for any status but 200. */
  fetchJson: (address: string) => Promise<unknown>
  /** Unix epoch milliseconds. */
  clock: () => number
  onError: (error: unknown) => void
}

interface Known {
  endpoints: IssuerEndpoints
  keys: LocalJWKSet
  readAtMs: number
}

/**
 * A remote OpenID issuer. Only its discovery document and the key set named there are fetched: no address in
 * a token is followed. While the issuer is unavailable, cached keys and addresses stay valid.
 */
export class RemoteIssuer implements TokenIssuer {
  readonly issuer: string
  readonly #options: RemoteIssuerOptions
  #known: Known | undefined
  #attemptedAtMs = -Infinity
  #failed = false
  #reading: Promise<void> | undefined

  constructor(options: RemoteIssuerOptions) {
    this.#options = options
    this.issuer = options.issuer
  }

  async publicKey(header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    const key = await this.#find(header)
    if (key !== undefined) return key
    // The key may be new: the issuer may have rotated its keys.
    const isNews = await this.#refresh()
    const found = isNews ? await this.#find(header) : undefined
    if (found === undefined && this.#failed) throw unreachable()
    return found
  }

  async endpoints(): Promise<IssuerEndpoints> {
    return (await this.#current()).endpoints
  }

  async #find(header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    const { keys } = await this.#current()
    return findKey(keys, header)
  }

  async #current(): Promise<Known> {
    if (this.#known === undefined) await this.#refresh()
    else if (this.#options.clock() - this.#known.readAtMs > freshForMs) void this.#refresh()
    if (this.#known === undefined) throw unreachable()
    return this.#known
  }

  /** False if that failed or was tried recently. Simultaneous callers share one fetch. */
  async #refresh(): Promise<boolean> {
    if (this.#reading === undefined) {
      const nowMs = this.#options.clock()
      if (nowMs - this.#attemptedAtMs < attemptEveryMs) return false
      this.#attemptedAtMs = nowMs
      this.#reading = this.#read().finally(() => (this.#reading = undefined))
    }
    await this.#reading
    return !this.#failed
  }

  /** Never rejects. */
  async #read(): Promise<void> {
    try {
      const { fetchJson, clock } = this.#options
      const metadata = checkMetadata(await fetchJson(discoveryAddress(this.issuer)), this.issuer)
      const keys = await keySet(await fetchJson(metadata.jwksUri))
      this.#known = { endpoints: metadata.endpoints, keys, readAtMs: clock() }
      this.#failed = false
    } catch (error) {
      this.#failed = true
      this.#options.onError(error)
    }
  }
}

/** OpenID Connect Discovery, section 4: appended to the issuer's path. */
function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

function checkMetadata(document: unknown, issuer: string): { endpoints: IssuerEndpoints; jwksUri: string } {
  const metadata = (typeof document === 'object' && document !== null ? document : {}) as Record<
    string,
    unknown
  >
  if (metadata['issuer'] !== issuer)
    throw new Error(
      `the discovery document of ${issuer} names another issuer: ${JSON.stringify(metadata['issuer'])}`,
    )
  const address = (name: string): string | null => {
    const value = metadata[name]
    if (value === undefined) return null
    const url = typeof value === 'string' ? URL.parse(value) : null
    const isSafe = url?.protocol === 'https:' || url?.protocol === new URL(issuer).protocol
    if (!isSafe) throw new Error(`${name} of ${issuer} is not a URL: ${JSON.stringify(value)}`)
    return url.href
  }
  const requireAddress = (name: string): string => {
    const value = address(name)
    if (value === null) throw new Error(`the discovery document of ${issuer} has no ${name}`)
    return value
  }
  return {
    jwksUri: requireAddress('jwks_uri'),
    endpoints: {
      authorizationEndpoint: address('authorization_endpoint'),
      tokenEndpoint: requireAddress('token_endpoint'),
      deviceAuthorizationEndpoint: address('device_authorization_endpoint'),
    },
  }
}

async function keySet(document: unknown): Promise<LocalJWKSet> {
  const { createLocalJWKSet } = await import('jose')
  const { keys } = document as JSONWebKeySet
  if (Array.isArray(keys) && keys.length > maxKeys)
    throw new Error(`the key set has more than ${maxKeys} keys`)
  return createLocalJWKSet(document as JSONWebKeySet)
}

function unreachable(): GatewayError {
  return new GatewayError('service_unavailable', 'The identity provider cannot be reached; please retry.', {
    retryAfterSeconds: attemptEveryMs / 1000,
  })
}
