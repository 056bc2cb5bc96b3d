import { familiarity, hardness, worth } from './heads.ts'
import { subjectDimensions, subjectSharpness } from './subjects.ts'

/** What the ranking adds to what is learned. Part of a training run: its hash changes with them. */
export const rankingConstants = {
  /**
   * What each e-fold of length adds to what a strong model is worth. On nearly every benchmark longer prompts
   * gain more from one; what is learned is learned beyond that, so that length is what remains where nothing
   * was.
   */
  perFold: 0.04,
  usualLength: 5.5,
  /**
   * Part of what the subject and the words say that counts beside the length: it is learned from few prompts
   * each, what length adds from all.
   */
  worthPart: 0.75,
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
  subjectDimensions,
  subjectSharpness,
}

/** What a strong model is worth by a prompt's length (as in `PromptShape`) alone; 0 at the usual length. */
export function worthOfLength(length: number): number {
  return rankingConstants.perFold * Math.max(-2, Math.log(length + 1) - rankingConstants.usualLength)
}

/** How much a prompt is like those that `worth` was learned from: 0 to 1. */
export function familiarShareOf(sums: ArrayLike<number>, options: number): number {
  const { familiarFrom, familiarTo, familiarAnswers } = rankingConstants
  if (options > familiarAnswers) return 0
  return Math.min(1, Math.max(0, (sums[familiarity]! - familiarFrom) / (familiarTo - familiarFrom)))
}

/**
 * What prompts of a length (as in `PromptShape`) are ranked by; 0 is usual. What says who wins on one
 * benchmark says nothing of another, so it counts only for prompts like those it was learned from; for others
 * counts how hard they look.
 */
export function rankingOf(
  sums: ArrayLike<number>,
  length: number,
  familiarShare: number,
  subjectWorth: number,
): number {
  const { worthPart, hardnessPart } = rankingConstants
  return (
    worthOfLength(length) +
    familiarShare * worthPart * (sums[worth]! + subjectWorth) +
    (1 - familiarShare) * hardnessPart * sums[hardness]!
  )
}
