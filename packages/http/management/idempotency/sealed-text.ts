import { deriveKey, sealBytes, unsealBytes } from '@turnpike/gateway'

const purpose = 'turnpike: sealed answer'

/**
 * Encrypts a text with a key made of `secret`, so that whoever reads the database without knowing the secret
 * reads nothing. @returns base64
 */
export function seal(text: string, secret: string): string {
  return sealBytes(Buffer.from(text), deriveKey(secret, purpose), '').toString('base64')
}

/** @throws where it was sealed with another secret, or changed since */
export function unseal(sealed: string, secret: string): string {
  return unsealBytes(Buffer.from(sealed, 'base64'), deriveKey(secret, purpose), '').toString('utf8')
}
