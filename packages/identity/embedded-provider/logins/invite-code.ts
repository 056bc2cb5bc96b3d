import { hash, randomInt } from 'node:crypto'

/** Without characters that are taken for another one. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** A code to type in, as `k7wq-3mzd-p9ra-v2hc`: some 79 random bits. */
export function newInviteCode(): string {
  const group = (): string =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** What is stored in place of the code; how it is written does not matter. */
export function hashInviteCode(code: string): string {
  return hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'hex')
}
