/** Request fields that models support, by OpenAI's names, in the usual combinations. */

const everyModel = ['max_completion_tokens', 'max_tokens', 'stop', 'stream']
const tools = ['parallel_tool_calls', 'tool_choice', 'tools']
const sampling = ['temperature', 'top_p']
const penalties = ['frequency_penalty', 'presence_penalty']
const reasoning = ['reasoning', 'reasoning_effort']

function fields(...sets: (readonly string[])[]): readonly string[] {
  return sets.flat().toSorted()
}

/** OpenAI's models that do not reason. */
export const openaiPlain = fields(everyModel, tools, sampling, penalties, [
  'logit_bias',
  'logprobs',
  'n',
  'response_format',
  'seed',
  'top_logprobs',
])
/** Without tools, and with JSON objects but no schemas. */
export const openaiOldest = openaiPlain.filter((field) => !tools.includes(field))
/** OpenAI's models that reason reject temperature, penalties and logprobs. */
export const openaiReasoning = fields(everyModel, tools, reasoning, ['n', 'response_format', 'seed'])
/** Its models that only `/responses` serves, which does not know `stop`, `n` and `seed`. */
export const openaiResponses = fields(
  everyModel.filter((field) => field !== 'stop'),
  tools,
  reasoning,
  ['response_format'],
)
/** The same without JSON schemas. */
export const openaiFreeResponses = openaiResponses.filter((field) => field !== 'response_format')

/** Its models that complete a text instead of answering a conversation. */
export const openaiCompletions = fields(sampling, penalties, [
  'best_of',
  'echo',
  'logit_bias',
  'logprobs',
  'max_tokens',
  'n',
  'seed',
  'stop',
  'stream',
  'suffix',
])

/** Reasoning with a token budget. */
export const anthropicThinking = fields(everyModel, tools, sampling, reasoning, ['response_format', 'top_k'])
/** Since Opus 4.7 a temperature is rejected, and the model chooses its own budget; effort remains. */
export const anthropicAdaptive = fields(everyModel, tools, reasoning, ['response_format'])

/** Models of other makers at Bedrock. */
export const bedrockPlain = fields(everyModel, tools, sampling, ['response_format'])
/** Models that cannot be forced to call a tool, which is the only way to JSON there. */
export const bedrockUnforced = bedrockPlain.filter((field) => field !== 'response_format')
/** The same, with reasoning by effort. */
export const bedrockThinking = fields(bedrockUnforced, reasoning)
export const bedrockNova = fields(bedrockPlain, ['top_k'])
export const bedrockNovaThinking = fields(bedrockNova, reasoning)

export const googleThinking = fields(everyModel, tools, sampling, penalties, reasoning, [
  'logprobs',
  'n',
  'response_format',
  'seed',
  'top_k',
  'top_logprobs',
])

const openFields = fields(everyModel, tools, sampling, penalties, ['response_format', 'seed'])
/** Open models behind an OpenAI-compatible server. */
export const openPlain = openFields
export const openReasoning = fields(openFields, reasoning)
/** The same without tools. */
export const openTextOnly = openFields.filter((field) => !tools.includes(field))

export const mistralPlain = fields(everyModel, tools, sampling, penalties, ['n', 'response_format', 'seed'])
export const mistralReasoning = fields(mistralPlain, reasoning)

export const coherePlain = fields(everyModel, tools, sampling, penalties, [
  'response_format',
  'seed',
  'top_k',
])

/** Sonar searches the web, and does not call the caller's tools. */
export const perplexityPlain = fields(everyModel, sampling, penalties, [
  'response_format',
  'web_search_options',
])
export const perplexityReasoning = fields(perplexityPlain, reasoning)
