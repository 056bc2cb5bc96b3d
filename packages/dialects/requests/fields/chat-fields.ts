import {
  dropped,
  passed,
  refused,
  translated,
  type FieldTreatment,
  type RequestField,
} from './field-table.ts'

/** Field treatments for vendors whose format resembles OpenAI's chat. */
export const similarChatFields = {
  model: translated("the model's name at the vendor"),
  'messages.refusal': translated('as text'),
  'messages.image_url.detail': passed(),
  'messages.file.text': translated('as text'),
  'messages.tool_calls.custom': refused('it has function tools only'),
  'messages.function_call': refused('it does not support the deprecated functions: use tool_calls'),
  'messages.tool.is_error': dropped('the content says so'),
  'messages.reasoning_details': dropped('it was signed or encrypted by another vendor'),
  'messages.cache_control': dropped('it caches by itself'),
  min_p: refused('it has no such parameter'),
  repetition_penalty: refused('use frequency_penalty and presence_penalty instead'),
  logit_bias: refused('it has no such parameter'),
  'tools.cache_control': dropped('it caches by itself'),
  'tools.custom': refused('it has function tools only'),
  functions: refused('it does not support the deprecated functions: use tools'),
  function_call: refused('it does not support the deprecated functions: use tool_choice'),
  'tool_choice.other': refused('expected none, auto, required or a function name'),
  'reasoning.exclude': translated('the gateway removes it from the answer'),
} satisfies Partial<Record<RequestField, FieldTreatment>>

/** Field treatments for vendors whose format differs more from OpenAI's chat. */
export const ownApiFields = {
  'messages.developer': translated('as a system message'),
  'messages.refusal': translated('`text`'),
  'messages.input_audio': refused('it does not accept audio'),
  min_p: refused('it does not support this'),
  repetition_penalty: refused('it does not support this'),
  logit_bias: refused('it does not support this'),
  seed: dropped('it has no seed; with other vendors it is only best effort'),
  'tools.custom': refused('it supports function tools only'),
  functions: refused('it does not have functions: use tools'),
  function_call: refused('it does not have functions: use tool_choice'),
  'tool_choice.other': refused('it accepts none, auto, required or a function'),
} satisfies Partial<Record<RequestField, FieldTreatment>>
