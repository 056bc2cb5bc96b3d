export const maxOutputBound = 2_147_483_647

/** The most answers that one request may ask for. */
export const maxChoices = 128

/** OpenAI's two words for a bound of output tokens, of which a vendor is sent one. */
export type OutputBoundField = 'max_completion_tokens' | 'max_tokens'

/**
 * What servers that speak OpenAI's format call it besides: llama.cpp reads `n_predict`, others
 * `max_new_tokens` or `max_output_tokens`. One that passed unseen would be a second bound beside the held
 * one.
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
 * What servers call the number of answers besides: llama.cpp reads `n_cmpl`, those of Hugging Face
 * `num_return_sequences`. Nobody would hold for more than `n` says.
 */
export const furtherChoiceFields: ReadonlySet<string> = new Set(['n_cmpl', 'num_return_sequences'])
