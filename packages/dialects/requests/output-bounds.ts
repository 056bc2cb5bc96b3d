export const maxOutputBound = 2_147_483_647

/** The most answers that one request may ask for. */
export const maxChoices = 128

/** OpenAI's two names for the bound on output tokens. A vendor is sent one of them. */
export type OutputBoundField = 'max_completion_tokens' | 'max_tokens'

/**
 * Further names for it at servers that speak OpenAI's format: llama.cpp reads `n_predict`, others
 * `max_new_tokens` or `max_output_tokens`. If one passed unnoticed, it would compete with the bound that the
 * hold is based on.
 */
export const furtherBoundFields: ReadonlySet<string> = new Set([
  'max_output_tokens',
  'max_new_tokens',
  'max_gen_len',
  'max_tokens_to_sample',
  'n_predict',
  'num_predict',
])

/** All members of a request that bound its output. */
export const outputBoundFields: ReadonlySet<string> = new Set([
  'max_completion_tokens',
  'max_tokens',
  ...furtherBoundFields,
])

/**
 * Further names for the number of answers: llama.cpp reads `n_cmpl`, Hugging Face's servers
 * `num_return_sequences`. The hold is based on `n` only.
 */
export const furtherChoiceFields: ReadonlySet<string> = new Set(['n_cmpl', 'num_return_sequences'])
