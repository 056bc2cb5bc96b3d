import { familiarity, hardness, overSimple, worth } from './heads.ts'

/**
 * What each e-fold of length adds to what a strong model is worth. On nearly every benchmark longer prompts
 * gain more from one; what is learned is learned beyond that, so that length is what remains where nothing
 * was.
 */
const perFold = 0.04
const usualLength = 5.5

/** Part of `hardness` that counts where `worth` does not: the strong model often fails there too. */
const hardnessPart = 0.25

/** Part of `overSimple` that counts beside `worth`: it is learned from more models, if less to the point. */
const overSimplePart = 0.2
const usualOverSimple = 0.15

/**
 * `familiarity` from which `worth` begins to count, and from which only `worth` counts: of prompts like those
 * it was learned from, three of four lie above both.
 */
const familiarFrom = 0.5
const familiarTo = 0.75

/** What a strong model is worth by a prompt's length (as in `PromptShape`) alone; 0 at the usual length. */
export function worthOfLength(length: number): number {
  return perFold * Math.max(-2, Math.log(length + 1) - usualLength)
}

/**
 * What prompts are ranked by; 0 is usual. What says who wins on one benchmark says nothing of another, so it
 * counts only for prompts like those it was learned from; for others counts how hard they look.
 */
export function rankingOf(sums: ArrayLike<number>, length: number): number {
  const familiar = (sums[familiarity]! - familiarFrom) / (familiarTo - familiarFrom)
  const share = Math.min(1, Math.max(0, familiar))
  const familiarPart = sums[worth]! + overSimplePart * (sums[overSimple]! - usualOverSimple)
  return worthOfLength(length) + share * familiarPart + (1 - share) * hardnessPart * sums[hardness]!
}
