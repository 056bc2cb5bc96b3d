/** Below this share of known words, what the words say counts proportionally less than the prompt's shape. */
const fullyTrusted = 0.6

/** What each n-gram's weight is multiplied with, so that a long prompt says no more than a short one. */
export function gramValue(gramCount: number, known: number): number {
  return Math.min(1, known / fullyTrusted) / Math.sqrt(gramCount + 4)
}
