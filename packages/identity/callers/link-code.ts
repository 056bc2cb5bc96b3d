import { createHash, randomBytes } from 'node:crypto'

const codeBytes = 32

/** A one-purpose code for a link; only its hash is stored. 43 characters. */
export function newLinkCode(): string {
  return randomBytes(codeBytes).toString('base64url')
}

/** SHA-256, in hex. */
export function hashLinkCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
