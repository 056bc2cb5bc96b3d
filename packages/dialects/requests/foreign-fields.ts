import { dropped, refused, type FieldTreatment, type RequestField } from './field-table.ts'

/** What Anthropic's Messages API has and no other vendor: what becomes of it at all of them. */
export const fieldsOfMessages = {
  'messages.text.citations': dropped('where an earlier text was from: the text itself is said'),
  'messages.file.citations': refused('it does not cite documents'),
  'messages.file.context': refused('documents have no such member: say it as text'),
  'messages.foreign_part': refused("it knows no blocks of Anthropic's own"),
  'max_completion_tokens.zero': refused('it gives at least one token, and cannot fill its cache alone'),
  'tools.foreign': refused("it knows no tools of Anthropic's own"),
  'tools.settings': dropped('when a tool is shown, with which examples: it is always shown'),
  cache_control: dropped('it caches by itself, or by the marks of parts'),
  context_management: dropped('the conversation is read as it was sent'),
  output_config: refused("beyond effort and format it is Anthropic's own"),
  speed: dropped('it only makes an answer faster'),
  diagnostics: dropped('it only tells how the cache was used'),
  fallbacks: dropped('who else may answer is said by models'),
  fallback_credit_token: dropped('it is credit at another vendor'),
  inference_geo: refused("where it thinks is a matter of the gateway's contract"),
  user_profile_id: dropped('it has none'),
  container: refused('it has no containers of Anthropic'),
  mcp_servers: refused('it connects to no servers: offer their tools yourself'),
  compaction: refused('it shortens no conversation: ask for a summary in words'),
  billing_policy: dropped('whoever the key belongs to pays'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** The same of OpenAI's Responses. */
export const fieldsOfResponses = {
  'messages.responses_item': refused(
    "it knows no items of OpenAI's Responses beside messages, calls and reasoning",
  ),
  'tools.responses': refused("it knows no tools that OpenAI's Responses run themselves"),
  'tool_choice.responses': refused("it knows no tools of OpenAI's Responses to choose"),
  'reasoning.context': dropped('it gets back all that it thought and proved, and reads it as it sees fit'),
  include: refused('its answers have nothing of that'),
  'tools.web_search': dropped('Codex always offers it: the model answers without'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** The same of OpenAI's older completions. */
export const fieldsOfCompletions = {
  'prompt.array': refused('it answers one prompt at a time'),
  'prompt.numbers': refused('it reads text, and no numbers of tokens'),
  suffix: refused('it knows no text that stands behind its answer'),
  echo: refused('it does not repeat the prompt'),
  best_of: refused('it does not choose among its answers'),
  'logprobs.number': refused('it does not tell log probabilities in the shape of completions'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** What Google's generateContent has and no other vendor: what becomes of it at all of them. */
export const fieldsOfGenerate = {
  'messages.google_part': refused("it knows no parts of Google's own"),
  'tools.google': refused("it knows no tools of Google's own"),
  generationConfig: refused("these settings are Google's own"),
  safetySettings: dropped('its own filters hold'),
  cachedContent: refused('it has no contents that are cached at Google'),
} satisfies Partial<Record<RequestField, FieldTreatment>>
