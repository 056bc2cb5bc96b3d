import { createHash, randomBytes } from 'node:crypto'

const codeBytes = 32

/** What an invitation's link carries: stored as its hash alone. */
export function newInvitationCode(): string {
  return randomBytes(codeBytes).toString('base64url')
}

/** SHA-256, in hex. */
export function hashInvitationCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
