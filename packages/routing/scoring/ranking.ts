import type { PromptShape } from './features/prompt-shape.ts'
import { familiarity, hardness, worth } from './heads.ts'

/** What the ranking adds to what is learned. Part of a training run: its hash changes with them. */
export const rankingConstants = {
  /**
   * What each e-fold of length adds to what a strong model is worth. On nearly every benchmark longer prompts
   * gain more from one; what is learned is learned beyond that, so that length is what remains where nothing
   * was.
   */
  perFold: 0.04,
  usualLength: 5.5,
  /** Part of `hardness` that counts where `worth` does not: the strong model often fails there too. */
  hardnessPart: 0.25,
  /**
   * `familiarity` from which `worth` begins to count, and from which only `worth` counts: of prompts like
   * those it was learned from, nine of ten lie above both.
   */
  familiarFrom: 0.5,
  familiarTo: 0.75,
  /** Those prompts give as many answers to choose from, or none: a prompt of ten is not like them. */
  familiarAnswers: 4,
}

/** What a strong model is worth by a prompt's length (as in `PromptShape`) alone; 0 at the usual length. */
export function worthOfLength(length: number): number {
  return rankingConstants.perFold * Math.max(-2, Math.log(length + 1) - rankingConstants.usualLength)
}

/**
 * What prompts are ranked by; 0 is usual. What says who wins on one benchmark says nothing of another, so it
 * counts only for prompts like those it was learned from; for others counts how hard they look.
 */
export function rankingOf(
  sums: ArrayLike<number>,
  { length, options }: Pick<PromptShape, 'length' | 'options'>,
): number {
  const { familiarFrom, familiarTo, familiarAnswers, hardnessPart } = rankingConstants
  const likeness = Math.min(1, Math.max(0, (sums[familiarity]! - familiarFrom) / (familiarTo - familiarFrom)))
  const share = options > familiarAnswers ? 0 : likeness
  return worthOfLength(length) + share * sums[worth]! + (1 - share) * hardnessPart * sums[hardness]!
}
