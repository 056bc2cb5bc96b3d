import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a text with a key made of `secret`, so that whoever reads the database without knowing the secret
 * reads nothing. @returns base64
 */
export function seal(text: string, secret: string): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, keyOf(secret), nonce)
  const sealed = [nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]
  return Buffer.concat(sealed).toString('base64')
}

/** @throws where it was sealed with another secret, or changed since */
export function unseal(sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const opening = createDecipheriv(cipher, keyOf(secret), bytes.subarray(0, nonceBytes))
  opening.setAuthTag(bytes.subarray(-tagBytes))
  const text = opening.update(bytes.subarray(nonceBytes, -tagBytes))
  return Buffer.concat([text, opening.final()]).toString('utf8')
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'turnpike: sealed answer', keyBytes))
}
