/** What is learned: each head is a linear function of features, mostly a difference of probabilities. */

/**
 * How much likelier a GPT-4 succeeds than a Mixtral, or similar models, beyond what length and subject
 * predict and what is usual for the benchmark. Familiar prompts are ranked by it.
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

/** How much likelier a SIMPLE model fails than is usual for the benchmark. Carries over to other prompts. */
export const hardness = 5
/** 1 for prompts like those that `worth` was learned from, 0 for others. */
export const familiarity = 6

export const headCount = 7
