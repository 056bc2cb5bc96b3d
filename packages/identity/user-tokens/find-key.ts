import type { CryptoKey, JWSHeaderParameters, LocalJWKSet } from 'jose'

/** The key of a set that a token's header selects; undefined if none fits, or more than one. */
export async function findKey(
  keys: LocalJWKSet,
  header: JWSHeaderParameters,
): Promise<CryptoKey | undefined> {
  const { errors } = await import('jose')
  try {
    return await keys(header)
  } catch (error) {
    const isMissing =
      error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
    if (isMissing) return undefined
    throw error
  }
}
