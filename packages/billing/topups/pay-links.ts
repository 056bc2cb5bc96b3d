import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'

/** A link lasts so long; who needs another one gets it with the next 402. */
export const payLinkMs = 60 * 60 * 1000
/** Links that are remembered, so that a storm of refusals makes one; beyond it all are forgotten. */
const mostRemembered = 1_000
/** Within it one key's refusals of one amount have one link. */
const minuteMs = 60_000
const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const radix = 36
/** `acct_…` without its prefix, `key_…` without its, what is needed, and when it ends. */
const saidPattern =
  /^([0-9a-hjkmnp-tv-z]{26})\.([0-9a-hjkmnp-tv-z]{26}|-)\.([0-9a-z]{1,13})\.([0-9a-z]{1,9})$/
/** No token is longer. */
export const maxPayTokenLength = 160

/** Below this path a link opens a checkout; below the other one it is told what became of that. */
export const payPath = '/pay'
export const payPollPath = '/api/v1/public/topup-links'

export interface PayLink {
  accountId: string
  /** The key whose credit is too little; null: the account's default key. */
  keyId: string | null
  /** What the refused request needs. */
  neededPico: bigint
  issuedAtMs: number
  expiresAtMs: number
}

export interface PayLinkAddresses {
  checkoutUrl: string
  pollUrl: string
}

export interface PayLinkOptions {
  /** The same on all nodes. */
  secret: string
  /** Where callers reach the gateway, without a slash at the end. */
  publicUrl: () => string
  /** Unix epoch milliseconds. */
  clock: () => number
}

/**
 * Links to a checkout for what a request lacks. A link is sealed, and nothing is kept of it: the request path
 * makes it without asking anybody, and only who opens it makes a checkout. Nobody but us reads in it whose it
 * is and what is lacking. What it says decides its nonce, so that nodes make the same one, and none serves
 * two texts.
 */
export class PayLinks {
  readonly #sealKey: Buffer
  readonly #nonceKey: Buffer
  readonly #publicUrl: () => string
  readonly #clock: () => number
  readonly #remembered = new Map<string, PayLinkAddresses>()
  #minute = 0

  constructor({ secret, publicUrl, clock }: PayLinkOptions) {
    this.#sealKey = deriveKey(secret, 'seal')
    this.#nonceKey = deriveKey(secret, 'nonce')
    this.#publicUrl = publicUrl
    this.#clock = clock
  }

  of(accountId: string, keyId: string | null, neededPico: bigint): PayLinkAddresses {
    const minute = Math.floor(this.#clock() / minuteMs)
    if (minute !== this.#minute || this.#remembered.size >= mostRemembered) this.#remembered.clear()
    this.#minute = minute
    const name = `${accountId} ${keyId} ${neededPico}`
    const known = this.#remembered.get(name)
    if (known !== undefined) return known
    const token = this.#tokenOf({ accountId, keyId, neededPico }, minute * minuteMs + payLinkMs)
    const origin = this.#publicUrl()
    const made = { checkoutUrl: `${origin}${payPath}/${token}`, pollUrl: `${origin}${payPollPath}/${token}` }
    this.#remembered.set(name, made)
    return made
  }

  /** What a link says, expired or not; undefined: it is none of ours. */
  read(token: string): PayLink | undefined {
    const [, account, key, needed, expires] = saidPattern.exec(this.#unseal(token) ?? '') ?? []
    if (account === undefined) return undefined
    const expiresAtMs = Number.parseInt(expires!, radix) * 1000
    return {
      accountId: `acct_${account}`,
      keyId: key === '-' ? null : `key_${key}`,
      neededPico: bigintOf(needed!),
      issuedAtMs: expiresAtMs - payLinkMs,
      expiresAtMs,
    }
  }

  #tokenOf(
    { accountId, keyId, neededPico }: Pick<PayLink, 'accountId' | 'keyId' | 'neededPico'>,
    expiresAtMs: number,
  ): string {
    const said = [
      accountId.slice('acct_'.length),
      keyId === null ? '-' : keyId.slice('key_'.length),
      neededPico.toString(radix),
      (expiresAtMs / 1000).toString(radix),
    ].join('.')
    const nonce = createHmac('sha256', this.#nonceKey).update(said).digest().subarray(0, nonceBytes)
    const sealing = createCipheriv(cipher, this.#sealKey, nonce, { authTagLength: tagBytes })
    const sealed = Buffer.concat([nonce, sealing.update(said), sealing.final(), sealing.getAuthTag()])
    return sealed.toString('base64url')
  }

  /** What a token says; undefined where it is not as we sealed it. */
  #unseal(token: string): string | undefined {
    const sealed = Buffer.from(token, 'base64url')
    const isOurs = token.length <= maxPayTokenLength && sealed.toString('base64url') === token
    if (!isOurs || sealed.length <= nonceBytes + tagBytes) return undefined
    const options = { authTagLength: tagBytes }
    const opening = createDecipheriv(cipher, this.#sealKey, sealed.subarray(0, nonceBytes), options)
    opening.setAuthTag(sealed.subarray(-tagBytes))
    const said = opening.update(sealed.subarray(nonceBytes, -tagBytes))
    try {
      return Buffer.concat([said, opening.final()]).toString('latin1')
    } catch {
      // Somebody has changed it.
      return undefined
    }
  }
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `turnpike: pay links: ${purpose}`, keyBytes))
}

/** Exact, where a number would be rounded. */
function bigintOf(text: string): bigint {
  return Array.from(text).reduce(
    (sum, digit) => sum * BigInt(radix) + BigInt(Number.parseInt(digit, radix)),
    0n,
  )
}
