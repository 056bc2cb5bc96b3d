import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'

/** How long a link is valid. The next 402 has a new one. */
export const payLinkMs = 60 * 60 * 1000
/** Cached links, so that a burst of refusals creates only one. When the cache is full, it is cleared. */
const mostRemembered = 1_000
/** Within a minute, refusals of one key and amount share one link. */
const minuteMs = 60_000
const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const radix = 36
/** `acct_…` and `key_…` without their prefixes, the needed amount, and the expiry. */
const contentPattern =
  /^([0-9a-hjkmnp-tv-z]{26})\.([0-9a-hjkmnp-tv-z]{26}|-)\.([0-9a-z]{1,13})\.([0-9a-z]{1,9})$/
/** The maximum length of a token. */
export const maxPayTokenLength = 160

/** `payPath` opens a link's checkout; `payPollPath` returns the link's state. */
export const payPath = '/pay'
export const payPollPath = '/api/v1/public/topup-links'

export interface PayLink {
  accountId: string
  /** The key whose credit is too low; null: the account's default key. */
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
  /** Must be the same on all nodes. */
  secret: string
  /** The gateway's public address, without a trailing slash. */
  publicUrl: () => string
  /** Unix epoch milliseconds. */
  clock: () => number
}

/**
 * Links to a checkout for the credit that a request lacks. A link is sealed and not stored: the request path
 * creates it without any call, and a checkout is created only when somebody opens it. Nobody else can read
 * the account and the amount in it. The nonce is derived from the content, so that nodes create the same
 * link, and no nonce serves two texts.
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

  /** The content of a link, expired or not; undefined: the link is not ours. */
  read(token: string): PayLink | undefined {
    const [, account, key, needed, expires] = contentPattern.exec(this.#unseal(token) ?? '') ?? []
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
    const content = [
      accountId.slice('acct_'.length),
      keyId === null ? '-' : keyId.slice('key_'.length),
      neededPico.toString(radix),
      (expiresAtMs / 1000).toString(radix),
    ].join('.')
    const nonce = createHmac('sha256', this.#nonceKey).update(content).digest().subarray(0, nonceBytes)
    const sealing = createCipheriv(cipher, this.#sealKey, nonce, { authTagLength: tagBytes })
    const sealed = Buffer.concat([nonce, sealing.update(content), sealing.final(), sealing.getAuthTag()])
    return sealed.toString('base64url')
  }

  /** The content of a token; undefined if it is not as we sealed it. */
  #unseal(token: string): string | undefined {
    const sealed = Buffer.from(token, 'base64url')
    const isOurs = token.length <= maxPayTokenLength && sealed.toString('base64url') === token
    if (!isOurs || sealed.length <= nonceBytes + tagBytes) return undefined
    const options = { authTagLength: tagBytes }
    const opening = createDecipheriv(cipher, this.#sealKey, sealed.subarray(0, nonceBytes), options)
    opening.setAuthTag(sealed.subarray(-tagBytes))
    const content = opening.update(sealed.subarray(nonceBytes, -tagBytes))
    try {
      return Buffer.concat([content, opening.final()]).toString('latin1')
    } catch {
      // The token was altered.
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
