/** Everything that a caller's request may ask for, by OpenAI's names. A dot leads into the field's value. */
export const requestFields = [
  'model',
  'messages.system',
  'messages.developer',
  'messages.name',
  'messages.text',
  'messages.text.citations',
  'messages.refusal',
  'messages.image_url',
  'messages.image_url.detail',
  'messages.input_audio',
  'messages.file',
  'messages.file.text',
  'messages.file.file_id',
  'messages.file.citations',
  'messages.file.context',
  'messages.tool_calls',
  'messages.tool_calls.custom',
  'messages.function_call',
  'messages.tool',
  'messages.tool.image_url',
  'messages.tool.is_error',
  'messages.reasoning_content',
  'messages.reasoning_details',
  'messages.cache_control',
  'messages.unknown_part',
  'messages.foreign_part',
  'messages.responses_item',
  'prompt.array',
  'prompt.numbers',
  'suffix',
  'echo',
  'best_of',
  'logprobs.number',
  'stream',
  'max_completion_tokens',
  'max_completion_tokens.zero',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'logit_bias',
  'seed',
  'stop',
  'n',
  'logprobs',
  'tools',
  'tools.strict',
  'tools.cache_control',
  'tools.custom',
  'tools.unknown',
  'tools.foreign',
  'tools.responses',
  'tools.google',
  'tools.web_search',
  'tools.settings',
  'functions',
  'function_call',
  'tool_choice.none',
  'tool_choice.auto',
  'tool_choice.required',
  'tool_choice.named',
  'tool_choice.other',
  'tool_choice.responses',
  'parallel_tool_calls',
  'response_format.json_object',
  'response_format.json_schema',
  'response_format.json_schema.strict',
  'reasoning_effort',
  'reasoning.max_tokens',
  'reasoning.exclude',
  'thinking',
  'verbosity',
  'modalities',
  'audio',
  'prediction',
  'web_search_options',
  'user',
  'metadata',
  'store',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'usage',
  'provider',
  'transforms',
  'cache_control',
  'context_management',
  'output_config',
  'speed',
  'diagnostics',
  'fallbacks',
  'fallback_credit_token',
  'inference_geo',
  'user_profile_id',
  'container',
  'mcp_servers',
  'messages.google_part',
  'generationConfig',
  'safetySettings',
  'cachedContent',
  'compaction',
  'reasoning.context',
  'include',
  'billing_policy',
  /** Any field without a name here. */
  'unknown',
] as const

export type RequestField = (typeof requestFields)[number]

/**
 * How a vendor's format treats a field:
 * - `translated`: it has an equivalent, which `note` gives;
 * - `passed`: sent unchanged;
 * - `dropped`: a hint that the answer does not depend on; `note` says why;
 * - `refused`: a 400 that names it, since the answer would differ; `note` is shown to the caller.
 */
export interface FieldTreatment {
  treatment: 'translated' | 'passed' | 'dropped' | 'refused'
  note: string
}

/** How each field of one operation is treated. `unknown` is any field without a name there. */
export type FieldTable<Field extends string = RequestField> = Readonly<Record<Field, FieldTreatment>>

export type AnyFieldTable = Readonly<Record<string, FieldTreatment>> & { readonly unknown: FieldTreatment }

/** How the table treats a field of this name. */
export function treatmentOf(name: string, fields: AnyFieldTable): FieldTreatment['treatment'] {
  return (Object.hasOwn(fields, name) ? fields[name]! : fields.unknown).treatment
}

/** Called for each field that a request asks for. `path` builds the caller's path to it. */
export type FieldVisitor<Field extends string = RequestField> = (field: Field, path: () => string) => void

export const translated = (note: string): FieldTreatment => ({ treatment: 'translated', note })
export const passed = (note = ''): FieldTreatment => ({ treatment: 'passed', note })
export const dropped = (note: string): FieldTreatment => ({ treatment: 'dropped', note })
export const refused = (note: string): FieldTreatment => ({ treatment: 'refused', note })
