import { createHmac, hash, randomBytes, randomInt } from 'node:crypto'
import { apiKeyOf, type NewRawKey } from '../api-keys/raw-key.ts'

/** No vowels, so that no words appear (RFC 8628, section 6.1). 20⁸ makes 2.5 · 10¹⁰ codes. */
const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const userCodeLength = 8
const secretBytes = 32
const familyBytes = 16

/** `<family>.<secret>`: the family identifies the sign-in even for a token that was already used. */
const refreshPattern = /^([\w-]{22})\.[\w-]{43}$/

/** A code as it is displayed: `BCDF-GHJK`. */
export function newUserCode(): string {
  let code = ''
  for (let index = 0; index < userCodeLength; index++)
    code += userCodeAlphabet[randomInt(userCodeAlphabet.length)]
  return groupCode(code)
}

/** Converts a typed code to the form in which it is displayed; undefined if it cannot be a code. */
export function normalizeUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '')
  const isCode =
    code.length === userCodeLength && Array.from(code).every((one) => userCodeAlphabet.includes(one))
  return isCode ? groupCode(code) : undefined
}

function groupCode(code: string): string {
  return `${code.slice(0, userCodeLength / 2)}-${code.slice(userCodeLength / 2)}`
}

/** 256 random bits as text; 43 characters. */
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

/** All refresh tokens of a sign-in begin with its family. */
export function newFamily(): NewFamily {
  const family = randomBytes(familyBytes).toString('base64url')
  return { familyHash: hashSecret(family), salt: newSecret(), refreshToken: `${family}.${newSecret()}` }
}

/** Undefined if it is not a refresh token. */
export function familyHashOf(refreshToken: string): string | undefined {
  const [, family] = refreshPattern.exec(refreshToken) ?? []
  return family === undefined ? undefined : hashSecret(family)
}

/**
 * The tokens that replace a refresh token. They are derived from it and the sign-in's salt, so that a client
 * that sends it twice, because a response was lost or because two programs share it, gets the same tokens.
 * They cannot be derived from the contents of the database.
 */
export function successorsOf(
  refreshToken: string,
  salt: string,
): { refreshToken: string; access: NewRawKey } {
  const [family = ''] = refreshToken.split('.', 1)
  const secret = createHmac('sha256', salt).update(`refresh ${refreshToken}`).digest('base64url')
  return { refreshToken: `${family}.${secret}`, access: accessTokenOf(refreshToken, salt) }
}

/** It has the form of an API key, so that it is recognised and looked up as one. */
export function accessTokenOf(refreshToken: string, salt: string): NewRawKey {
  return apiKeyOf(createHmac('sha512', salt).update(`access ${refreshToken}`).digest())
}
