import { createHmac, hash, randomBytes, randomInt } from 'node:crypto'
import { apiKeyOf, type NewRawKey } from '../api-keys/raw-key.ts'

/** No vowels, so that no words come out (RFC 8628, section 6.1). 20⁸ are 2.5 · 10¹⁰ codes. */
const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const userCodeLength = 8
const secretBytes = 32
const familyBytes = 16

/** `<family>.<secret>`: by the family a token is found also when it was used before. */
const refreshPattern = /^([\w-]{22})\.[\w-]{43}$/

/** As it is shown: `BCDF-GHJK`. */
export function newUserCode(): string {
  let code = ''
  for (let index = 0; index < userCodeLength; index++)
    code += userCodeAlphabet[randomInt(userCodeAlphabet.length)]
  return groupCode(code)
}

/** A code as somebody typed it, as it is shown; undefined for what cannot be one. */
export function normalizeUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '')
  const isCode =
    code.length === userCodeLength && Array.from(code).every((one) => userCodeAlphabet.includes(one))
  return isCode ? groupCode(code) : undefined
}

function groupCode(code: string): string {
  return `${code.slice(0, userCodeLength / 2)}-${code.slice(userCodeLength / 2)}`
}

/** 256 bits, as texts of 43 characters. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url')
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

export interface NewFamily {
  familyHash: string
  salt: string
  refreshToken: string
}

/** All refresh tokens of a sign-in begin alike. */
export function newFamily(): NewFamily {
  const family = randomBytes(familyBytes).toString('base64url')
  return { familyHash: hashSecret(family), salt: newSecret(), refreshToken: `${family}.${newSecret()}` }
}

/** Undefined for what is no refresh token. */
export function familyHashOf(refreshToken: string): string | undefined {
  const [, family] = refreshPattern.exec(refreshToken) ?? []
  return family === undefined ? undefined : hashSecret(family)
}

/**
 * The tokens that a refresh token is changed for. They follow from it and the sign-in's salt, so that who
 * sends it twice, since an answer was lost or since two programs share it, gets the same ones; from what
 * the database holds they do not follow.
 */
export function successorsOf(
  refreshToken: string,
  salt: string,
): { refreshToken: string; access: NewRawKey } {
  const [family = ''] = refreshToken.split('.', 1)
  const secret = createHmac('sha256', salt).update(`refresh ${refreshToken}`).digest('base64url')
  return { refreshToken: `${family}.${secret}`, access: accessTokenOf(refreshToken, salt) }
}

/** It has the form of an API key, so that it is known and told as one is. */
export function accessTokenOf(refreshToken: string, salt: string): NewRawKey {
  return apiKeyOf(createHmac('sha512', salt).update(`access ${refreshToken}`).digest())
}
