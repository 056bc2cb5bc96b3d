import { familiarity, hardness, worth } from './heads.ts'
import { subjectDimensions, subjectSharpness } from './subjects.ts'

/** Constants that the ranking adds to what is learned. A training run's hash includes them. */
export const rankingConstants = {
  /**
   * What each e-fold of length adds to a strong model's worth. On nearly every benchmark longer prompts gain
   * more from one. The heads are learned beyond that, so that length remains where nothing was learned.
   */
  perFold: 0.04,
  usualLength: 5.5,
  /**
   * The share of the subject's and words' worth that counts besides length: that worth is learned from few
   * prompts each, the effect of length from all.
   */
  worthPart: 0.75,
  /** The share of `hardness` that counts where `worth` does not: the strong model often fails too. */
  hardnessPart: 0.25,
  /**
   * The `familiarity` from which `worth` begins to count, and from which only `worth` counts. Nine of ten of
   * the prompts that it was learned from are above both.
   */
  familiarFrom: 0.5,
  familiarTo: 0.75,
  /** The learned prompts have this many options, or none: a prompt with ten is not like them. */
  familiarAnswers: 4,
  subjectDimensions,
  subjectSharpness,
}

/** A strong model's worth by a prompt's length alone (as in `PromptShape`); 0 at the usual length. */
export function worthOfLength(length: number): number {
  return rankingConstants.perFold * Math.max(-2, Math.log(length + 1) - rankingConstants.usualLength)
}

/** How similar a prompt is to those that `worth` was learned from: 0 to 1. */
export function familiarShareOf(sums: ArrayLike<number>, options: number): number {
  const { familiarFrom, familiarTo, familiarAnswers } = rankingConstants
  if (options > familiarAnswers) return 0
  return Math.min(1, Math.max(0, (sums[familiarity]! - familiarFrom) / (familiarTo - familiarFrom)))
}

/**
 * What prompts of a length (as in `PromptShape`) are ranked by; 0 is usual. Which model wins on one benchmark
 * says nothing about another, so that only counts for prompts like those it was learned from; other prompts
 * are ranked by how hard they look.
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
