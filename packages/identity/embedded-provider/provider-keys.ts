import { randomBytes } from 'node:crypto'
import type { CryptoKey, JWK, JWSHeaderParameters, LocalJWKSet } from 'jose'
import { findKey } from '../user-tokens/find-key.ts'
import type { ProviderSecret, ProviderSecretStore } from './stores.ts'

/**
 * Why RS256: every OpenID client must know it (OpenID Connect Core, section 15.1), ID tokens and access
 * tokens then share a key, and checking a signature, done for every request, takes 54 µs (Ed25519: 268).
 */
export const signingAlgorithm = 'RS256'
const modulusLength = 2048
/** Keys older than this are read again, since another node may have rotated them. */
const freshForMs = 30_000
/** The shortest time between two reads because of unknown key identifiers. */
const attemptEveryMs = 5_000
/** How long a key stays published after its successor was made; no token lives longer. */
const retiresAfterMs = 24 * 60 * 60 * 1000

export interface KeySet {
  /** Private keys; the first one signs. */
  signing: JWK[]
  /** Secrets of cookies and forms; the first one signs. */
  cookies: string[]
}

interface Loaded extends KeySet {
  verification: LocalJWKSet
  readAtMs: number
}

/** The keys of the embedded provider: created once in the database, and shared by all its nodes. */
export class ProviderKeys {
  readonly #store: ProviderSecretStore
  readonly #clock: () => number
  #loaded: Loaded | undefined
  #loading: Promise<Loaded> | undefined

  constructor(store: ProviderSecretStore, clock: () => number) {
    this.#store = store
    this.#clock = clock
  }

  /** Returns the same object until the keys change. */
  async current(): Promise<KeySet> {
    return this.#notOlderThan(freshForMs)
  }

  /** The public key that a token's header names; undefined if there is none. */
  async publicKey(header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    const known = await this.#notOlderThan(freshForMs)
    const key = await findKey(known.verification, header)
    if (key !== undefined) return key
    const later = await this.#notOlderThan(attemptEveryMs)
    return later === known ? undefined : findKey(later.verification, header)
  }

  /** Makes a new signing key. The previous one stays published until its tokens expire. */
  async rotate(): Promise<{ keyId: string; createdAtMs: number }> {
    const secrets = await this.#store.list()
    const newest = secrets.find(({ purpose }) => purpose === 'signing')
    const secret = await newSigningKey((newest?.number ?? 0) + 1, this.#clock())
    // If another node was faster, its key is as new as ours would have been.
    await this.#store.add(secret)
    const [key] = (await this.#load()).signing
    return { keyId: key!.kid!, createdAtMs: secret.createdAtMs }
  }

  #notOlderThan(ageMs: number): Promise<Loaded> {
    const isFresh = this.#loaded !== undefined && this.#clock() - this.#loaded.readAtMs < ageMs
    if (isFresh) return Promise.resolve(this.#loaded!)
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  async #load(): Promise<Loaded> {
    const nowMs = this.#clock()
    const secrets = await this.#complete(await this.#store.list())
    const signing = secrets.filter(({ purpose }) => purpose === 'signing')
    const published = signing.filter((_, index) => {
      const successor = signing[index - 1]
      return successor === undefined || nowMs - successor.createdAtMs < retiresAfterMs
    })
    const keys = published.map(({ secret }) => JSON.parse(secret) as JWK)
    const cookies = secrets.filter(({ purpose }) => purpose === 'cookies').map(({ secret }) => secret)
    const before = this.#loaded
    if (before !== undefined && isSame(before, keys, cookies)) before.readAtMs = nowMs
    else this.#loaded = { signing: keys, cookies, verification: await verificationOf(keys), readAtMs: nowMs }
    return this.#loaded!
  }

  /** Creates what is missing on a first run; if several nodes do so at once, one succeeds. */
  async #complete(secrets: ProviderSecret[]): Promise<ProviderSecret[]> {
    const has = (name: string): boolean => secrets.some(({ purpose }) => purpose === name)
    if (has('signing') && has('cookies')) return secrets
    const createdAtMs = this.#clock()
    if (!has('signing')) await this.#store.add(await newSigningKey(1, createdAtMs))
    const secret = randomBytes(32).toString('base64url')
    if (!has('cookies')) await this.#store.add({ purpose: 'cookies', number: 1, secret, createdAtMs })
    return this.#store.list()
  }
}

async function newSigningKey(number: number, createdAtMs: number): Promise<ProviderSecret> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose')
  const { privateKey } = await generateKeyPair(signingAlgorithm, { modulusLength, extractable: true })
  const key = await exportJWK(privateKey)
  const described = { ...key, alg: signingAlgorithm, use: 'sig', kid: await calculateJwkThumbprint(key) }
  return { purpose: 'signing', number, secret: JSON.stringify(described), createdAtMs }
}

async function verificationOf(keys: JWK[]): Promise<LocalJWKSet> {
  const { createLocalJWKSet } = await import('jose')
  return createLocalJWKSet({
    keys: keys.map(({ kty, kid, alg, use, n, e }) => ({ kty, kid, alg, use, n, e }) as JWK),
  })
}

function isSame(before: KeySet, signing: JWK[], cookies: string[]): boolean {
  const names = (keys: JWK[]): string => keys.map(({ kid }) => kid).join(' ')
  return names(before.signing) === names(signing) && before.cookies.join(' ') === cookies.join(' ')
}
