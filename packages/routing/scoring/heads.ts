/* What is learned of a prompt, each a linear function of its features: four differences of
   probabilities, and a probability. */

/** How much likelier a GPT-4 succeeds than a Mixtral, or their like: what prompts are ranked by. */
export const worth = 0
/** How much likelier a COMPLEX model succeeds than a SIMPLE one. */
export const overSimple = 1
/** How much likelier a COMPLEX model succeeds than a MEDIUM one. */
export const overMedium = 2
/** How much likelier a REASONING model succeeds than a COMPLEX one. */
export const overComplex = 3
/** How likely a SIMPLE model succeeds. */
export const simpleSucceeds = 4

export const headCount = 5
