import { dropped, refused, translated, type FieldTreatment, type RequestField } from './field-table.ts'

const oneText = refused('it completes a single text: put everything into one user message')
const noTools = refused('it completes text and cannot call tools')
const noReasoning = dropped('the model does not reason')

/** Field treatments for models that continue a text and have no conversations. */
export const textCompletionFields = {
  model: translated("the model's name at the vendor"),
  'messages.system': oneText,
  'messages.developer': oneText,
  'messages.text': translated('the one user message that there may be is the `prompt`'),
  'messages.refusal': oneText,
  'messages.tool_calls': noTools,
  'messages.tool_calls.custom': noTools,
  'messages.function_call': noTools,
  'messages.tool': noTools,
  'messages.tool.is_error': noTools,
  'messages.reasoning_content': oneText,
  'messages.reasoning_details': oneText,
  'messages.cache_control': dropped('it caches automatically, if at all'),
  max_completion_tokens: translated('as `max_tokens`'),
  tools: noTools,
  'tools.settings': noTools,
  'tools.strict': noTools,
  'tools.cache_control': noTools,
  'tools.custom': noTools,
  'tools.unknown': noTools,
  functions: noTools,
  function_call: noTools,
  'tool_choice.none': noTools,
  'tool_choice.auto': noTools,
  'tool_choice.required': noTools,
  'tool_choice.named': noTools,
  'tool_choice.other': noTools,
  parallel_tool_calls: noTools,
  'response_format.json_object': refused('it cannot enforce a format: describe it in the prompt'),
  'response_format.json_schema': refused('it cannot enforce a schema: describe it in the prompt'),
  reasoning_effort: noReasoning,
  'reasoning.max_tokens': noReasoning,
  'reasoning.exclude': noReasoning,
  thinking: refused('it is a field of another vendor, and the model does not reason'),
  web_search_options: refused('it does not search'),
} satisfies Partial<Record<RequestField, FieldTreatment>>
