import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** A key of AES-256-GCM for one purpose alone, made of a secret that has others (RFC 5869). */
export function deriveKey(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes))
}

/**
 * Encrypts bytes, and binds them to what they are of: they are read again for that alone.
 * @returns the nonce, what is encrypted, and the tag
 */
export function sealBytes(plain: Uint8Array, key: Buffer, of: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce)
  sealing.setAAD(Buffer.from(of))
  return Buffer.concat([nonce, sealing.update(plain), sealing.final(), sealing.getAuthTag()])
}

/** @throws where they were sealed with another key or are of something else, or were changed since */
export function unsealBytes(sealed: Uint8Array, key: Buffer, of: string): Buffer {
  if (sealed.length < nonceBytes + tagBytes) throw new Error('these are no sealed bytes')
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  opening.setAAD(Buffer.from(of))
  opening.setAuthTag(sealed.subarray(-tagBytes))
  const plain = opening.update(sealed.subarray(nonceBytes, -tagBytes))
  return Buffer.concat([plain, opening.final()])
}
