import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** Derives an AES-256-GCM key for one purpose from a secret that has several (RFC 5869). */
export function deriveKey(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes))
}

/**
 * Encrypts bytes and binds them to a name: they can only be opened with the same name.
 * @returns the nonce, the ciphertext and the tag
 */
export function sealBytes(plain: Uint8Array, key: Buffer, of: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce)
  sealing.setAAD(Buffer.from(of))
  return Buffer.concat([nonce, sealing.update(plain), sealing.final(), sealing.getAuthTag()])
}

/** @throws if they were sealed with another key or name, or changed since */
export function unsealBytes(sealed: Uint8Array, key: Buffer, of: string): Buffer {
  if (sealed.length < nonceBytes + tagBytes) throw new Error('these are no sealed bytes')
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  opening.setAAD(Buffer.from(of))
  opening.setAuthTag(sealed.subarray(-tagBytes))
  const plain = opening.update(sealed.subarray(nonceBytes, -tagBytes))
  return Buffer.concat([plain, opening.final()])
}
