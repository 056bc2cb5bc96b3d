import { dropped, refused, type FieldTreatment, type RequestField } from './field-table.ts'

/** What Anthropic's Messages API has and no other vendor: what becomes of it at all of them. */
export const fieldsOfMessages = {
  'messages.text.citations': dropped('where an earlier text was from: the text itself is said'),
  'messages.file.citations': refused('it does not cite documents'),
  'messages.file.context': refused('documents have no such member; put it into the text'),
  'messages.foreign_part': refused("it does not support Anthropic's own blocks"),
  'max_completion_tokens.zero': refused(
    'it always generates at least one token, and cannot only fill its cache',
  ),
  'tools.foreign': refused("it does not support Anthropic's own tools"),
  'tools.settings': dropped('when a tool is shown, with which examples: it is always shown'),
  cache_control: dropped('it caches by itself, or by the marks of parts'),
  context_management: dropped('the conversation is read as it was sent'),
  output_config: refused("only effort and format are supported; the rest is Anthropic's own"),
  speed: dropped('it only makes an answer faster'),
  diagnostics: dropped('it only tells how the cache was used'),
  fallbacks: dropped('who else may answer is said by models'),
  fallback_credit_token: dropped('it is credit at another vendor'),
  inference_geo: refused('the operator decides where inference happens'),
  user_profile_id: dropped('it does not support this setting'),
  container: refused('it has no Anthropic containers'),
  mcp_servers: refused('it does not connect to servers; offer their tools yourself'),
  compaction: refused('it does not compact conversations; ask for a summary in the prompt'),
  billing_policy: dropped('whoever the key belongs to pays'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** The same of OpenAI's Responses. */
export const fieldsOfResponses = {
  'messages.responses_item': refused(
    "it supports no items of OpenAI's Responses except messages, calls and reasoning",
  ),
  'tools.responses': refused('it does not support tools that OpenAI runs itself'),
  'tool_choice.responses': refused("it does not support the tools of OpenAI's Responses"),
  'reasoning.context': dropped('it gets back all that it thought and proved, and reads it as it sees fit'),
  include: refused('its answers contain nothing of that'),
  'tools.web_search': dropped('Codex always offers it: the model answers without'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** The same of OpenAI's older completions. */
export const fieldsOfCompletions = {
  'prompt.array': refused('it answers one prompt at a time'),
  'prompt.numbers': refused('it reads text, not token numbers'),
  suffix: refused('it does not support text after its answer'),
  echo: refused('it does not repeat the prompt'),
  best_of: refused('it does not choose among its answers'),
  'logprobs.number': refused('it does not return log probabilities in the format of completions'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** What Google's generateContent has and no other vendor: what becomes of it at all of them. */
export const fieldsOfGenerate = {
  'messages.google_part': refused("it does not support Google's own parts"),
  'tools.google': refused("it does not support Google's own tools"),
  generationConfig: refused("these settings are Google's own"),
  safetySettings: dropped('its own filters hold'),
  cachedContent: refused('it has no content cached at Google'),
} satisfies Partial<Record<RequestField, FieldTreatment>>
