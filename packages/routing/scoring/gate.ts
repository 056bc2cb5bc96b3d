/** Below this share of known words, the words count proportionally less than the prompt's shape. */
const fullyTrusted = 0.6

/** The factor for each n-gram's weight, so that a long prompt counts no more than a short one. */
export function gramValue(gramCount: number, known: number): number {
  return Math.min(1, known / fullyTrusted) / Math.sqrt(gramCount + 4)
}
