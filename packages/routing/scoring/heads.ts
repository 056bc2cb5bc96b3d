/* What is learned of a prompt, each a linear function of its features, most of them differences of
   probabilities. */

/**
 * How much likelier a GPT-4 succeeds than a Mixtral, or their like, beyond what length and subject say and
 * what is usual for the benchmark: what familiar prompts are ranked by.
 */
export const worth = 0
/** How much likelier a COMPLEX model succeeds than a SIMPLE one. */
export const overSimple = 1
/** How much likelier a COMPLEX model succeeds than a MEDIUM one. */
export const overMedium = 2
/** How much likelier a REASONING model succeeds than a COMPLEX one. */
export const overComplex = 3
/** How likely a SIMPLE model succeeds. */
export const simpleSucceeds = 4

/** How much likelier a SIMPLE model fails than is usual for the benchmark: what carries over to others. */
export const hardness = 5
/** 1 for prompts like those that `worth` was learned from, 0 for others. */
export const familiarity = 6

export const headCount = 7
