import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const head = 'sk-turnpike-'
const randomLength = 32
const checksumLength = 6
const rawLength = head.length + randomLength + checksumLength
const prefixLength = 16

export interface NewRawKey {
  /** Shown once, never stored. */
  raw: string
  /** The first 16 characters, for display. */
  prefix: string
  /** SHA-256 in lower-case hex, which is what is stored. */
  hash: string
}

/**
 * Makes a key: `sk-turnpike-`, 32 random base62 characters, and 6 characters of the CRC-32 of everything
 * before them (docs/contract.md, 3).
 */
export function newApiKey(): NewRawKey {
  let random = ''
  for (let index = 0; index < randomLength; index++) random += alphabet[randomInt(alphabet.length)]
  return rawKey(random)
}

/**
 * Derives a key from 64 random bytes; the same bytes give the same key. Bytes at or above the highest
 * multiple of 62 are skipped, so that all characters are equally likely.
 */
export function apiKeyOf(bytes: Uint8Array): NewRawKey {
  const even = 256 - (256 % alphabet.length)
  const random = Array.from(bytes).filter((byte) => byte < even)
  if (random.length < randomLength) throw new Error('too few random bytes for a key')
  return rawKey(
    random
      .slice(0, randomLength)
      .map((byte) => alphabet[byte % alphabet.length])
      .join(''),
  )
}

function rawKey(random: string): NewRawKey {
  const body = head + random
  const raw = body + checksum(body)
  return { raw, prefix: raw.slice(0, prefixLength), hash: hashApiKey(raw) }
}

/** Whether the text has the form of a key and a valid checksum. A typo is thus rejected without a look-up. */
export function isWellFormedApiKey(raw: string): boolean {
  if (raw.length !== rawLength || !raw.startsWith(head)) return false
  const body = raw.slice(0, rawLength - checksumLength)
  return (
    raw.slice(rawLength - checksumLength) === checksum(body) && /^[0-9A-Za-z]+$/.test(raw.slice(head.length))
  )
}

/** The hash that is stored and looked up in place of the key. */
export function hashApiKey(raw: string): string {
  return hash('sha256', raw, 'hex')
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let index = 0; index < checksumLength; index++) {
    text = alphabet[rest % alphabet.length]! + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
