import { deriveKey, sealBytes, unsealBytes } from '@turnpike/gateway'

const purpose = 'turnpike: sealed answer'

/** Encrypts a text with a key derived from `secret`; the database alone reveals nothing. In base64. */
export function seal(text: string, secret: string): string {
  return sealBytes(Buffer.from(text), deriveKey(secret, purpose), '').toString('base64')
}

/** @throws if it was sealed with another secret, or changed since */
export function unseal(sealed: string, secret: string): string {
  return unsealBytes(Buffer.from(sealed, 'base64'), deriveKey(secret, purpose), '').toString('utf8')
}
