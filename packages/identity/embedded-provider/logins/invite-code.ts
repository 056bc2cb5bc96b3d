import { hash, randomInt } from 'node:crypto'

/** Without characters that are easily confused. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** A code that people type, such as `k7wq-3mzd-p9ra-v2hc`: about 79 random bits. */
export function newInviteCode(): string {
  const group = (): string =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** The hash that is stored in place of the code; ignores how the code is typed. */
export function hashInviteCode(code: string): string {
  return hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'hex')
}
