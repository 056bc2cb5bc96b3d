import { dropped, refused, type FieldTreatment, type RequestField } from './field-table.ts'

/** How vendors of other formats treat the fields that only Anthropic's Messages API has. */
export const fieldsOfMessages = {
  'messages.text.citations': dropped('the sources of an earlier text; the text itself is sent'),
  'messages.file.citations': refused('it does not cite documents'),
  'messages.file.context': refused('it has no such field for documents: send it as text'),
  'messages.foreign_part': refused("it does not support Anthropic's own blocks"),
  'max_completion_tokens.zero': refused('it returns at least one token and cannot only fill its cache'),
  'tools.foreign': refused("it does not support Anthropic's own tools"),
  'tools.settings': dropped('settings for when a tool is shown and its examples: tools are always shown'),
  cache_control: dropped('it caches automatically, or by marks on parts'),
  context_management: dropped('the conversation is read as it was sent'),
  output_config: refused('except for effort and format, it is specific to Anthropic'),
  speed: dropped('it is only a speed hint'),
  diagnostics: dropped('it only reports cache use'),
  fallbacks: dropped('use models to name fallbacks'),
  fallback_credit_token: dropped('it is a credit token of another vendor'),
  inference_geo: refused("its region depends on the operator's contract with the vendor"),
  user_profile_id: dropped('it does not support this'),
  container: refused("it does not have Anthropic's containers"),
  mcp_servers: refused('it does not connect to MCP servers: send their tools yourself'),
  compaction: refused('it does not compact conversations: ask for a summary in the prompt'),
  billing_policy: dropped('the owner of the key pays'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** How vendors of other formats treat the fields that only OpenAI's Responses API has. */
export const fieldsOfResponses = {
  'messages.responses_item': refused(
    "of the items of OpenAI's Responses it only supports messages, calls and reasoning",
  ),
  'tools.responses': refused('it does not support the tools that OpenAI runs itself'),
  'tool_choice.responses': refused('it does not support choosing the tools that OpenAI runs itself'),
  'reasoning.context': dropped('it gets all of its earlier reasoning back and decides what to use'),
  include: refused('its answers do not contain that'),
  'tools.web_search': dropped('Codex always sends it: the model answers without it'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** How vendors of other formats treat the fields that only OpenAI's older completions have. */
export const fieldsOfCompletions = {
  'prompt.array': refused('it answers one prompt at a time'),
  'prompt.numbers': refused('it reads text, not token ids'),
  suffix: refused('it does not support text after its answer'),
  echo: refused('it does not repeat the prompt'),
  best_of: refused('it cannot choose the best of several answers'),
  'logprobs.number': refused('it does not return log probabilities in the format of completions'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** How vendors of other formats treat the fields that only Google's generateContent has. */
export const fieldsOfGenerate = {
  'messages.google_part': refused("it does not support Google's own parts"),
  'tools.google': refused("it does not support Google's own tools"),
  generationConfig: refused('these settings are specific to Google'),
  safetySettings: dropped('its own filters apply'),
  cachedContent: refused('it has no access to content cached at Google'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** Fields of chat completions that few vendors have, and how the others treat them. */
export const fieldsOfFew = {
  'messages.name': dropped('it has no names for speakers'),
  verbosity: dropped('it has no such setting'),
  modalities: refused('it answers in text only'),
  audio: refused('it answers in text only'),
  prediction: dropped('it is only a speed hint'),
  user: dropped('the vendor does not use it'),
  metadata: dropped("the gateway's own tags"),
  store: dropped('answers are not kept there'),
  service_tier: dropped("it has one, or those of the operator's contract with the vendor"),
  safety_identifier: dropped('the vendor does not use it'),
  prompt_cache_key: dropped('it caches automatically, if at all'),
  prompt_cache_retention: dropped('it caches automatically, or by marks with lifetimes of their own'),
  usage: dropped('usage is always told'),
  provider: dropped('it is a routing setting of another gateway'),
  transforms: dropped('it is a prompt setting of another gateway'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** All of these together, for a vendor whose format is none of them. */
export const foreignFields = {
  ...fieldsOfFew,
  ...fieldsOfCompletions,
  ...fieldsOfMessages,
  ...fieldsOfGenerate,
  ...fieldsOfResponses,
}
