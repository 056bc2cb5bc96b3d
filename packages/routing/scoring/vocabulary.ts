/**
 * The n-grams that have weights: a table of sets with four places each. An n-gram's hash gives its set and a
 * 16-bit fingerprint within it, so an unknown n-gram is rarely taken for a known one (once in 16,000).
 */

export const placesPerSet = 4

/** The set of a hash. */
export function setOf(hash: number, sets: number): number {
  return ((hash & 0xffff) * sets) >>> 16
}

/** Never 0, which marks an empty place. */
export function fingerprintOf(hash: number): number {
  return hash >>> 16 || 1
}

/** The place of an n-gram in the table, or -1. */
export function placeOf(hash: number, fingerprints: Uint16Array): number {
  const first = setOf(hash, (fingerprints.length / placesPerSet) | 0) * placesPerSet
  const fingerprint = fingerprintOf(hash)
  // Unrolled, since it runs for each n-gram of a prompt.
  if (fingerprints[first] === fingerprint) return first
  if (fingerprints[first + 1] === fingerprint) return first + 1
  if (fingerprints[first + 2] === fingerprint) return first + 2
  if (fingerprints[first + 3] === fingerprint) return first + 3
  return -1
}
