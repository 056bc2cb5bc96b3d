import { similarChatFields } from '../../requests/fields/chat-fields.ts'
import { dropped, passed, refused, translated, type FieldTable } from '../../requests/fields/field-table.ts'
import { foreignFields } from '../../requests/fields/foreign-fields.ts'

const reasoningEffort =
  'to `prompt_mode` for Magistral, else to the nearest that the model knows: `none` or `high`'

/** https://docs.mistral.ai/api/, endpoint chat, and `ChatCompletionRequest` of mistralai/client-ts. */
export const mistralFields: FieldTable = {
  ...foreignFields,
  ...similarChatFields,
  'messages.system': translated('all of them are moved to the front'),
  'messages.developer': translated('as `system`, in front'),
  'messages.name': dropped("it has no names for speakers; a tool's name is kept"),
  'messages.text': passed(),
  'messages.image_url': passed(),
  'messages.input_audio': translated('the data alone, without its format'),
  'messages.file': translated('as `document_url`, a data URL where it is data'),
  'messages.file.file_id': translated('as a `file` chunk: the id of a file uploaded to Mistral'),
  'messages.tool_calls': translated('ids of other vendors become nine characters, the same in the result'),
  'messages.tool': translated(
    'with the id of its call; before a user message a word of the assistant is put in',
  ),
  'messages.tool.image_url': passed(),
  'messages.reasoning_content': translated('as a `thinking` chunk'),
  'messages.unknown_part': passed('so that chunks of its own can be sent, as `document_url`'),
  stream: translated('without `stream_options`: the last chunk has the usage'),
  max_completion_tokens: translated('as `max_tokens`'),
  temperature: passed('from 0 to 1.5; other values are refused'),
  top_p: passed(),
  top_k: refused('it has no such parameter'),
  frequency_penalty: passed(),
  presence_penalty: passed(),
  seed: translated('as `random_seed`'),
  stop: passed(),
  n: passed(),
  logprobs: refused('it does not return log probabilities'),
  tools: translated('with empty `parameters` where there are none'),
  'tools.strict': passed(),
  'tools.unknown': passed('so that tools of its own can be asked for, as `web_search`'),
  'tool_choice.none': passed(),
  'tool_choice.auto': passed(),
  'tool_choice.required': translated('as `any`'),
  'tool_choice.named': passed(),
  parallel_tool_calls: passed(),
  'response_format.json_object': passed(),
  'response_format.json_schema': passed(),
  'response_format.json_schema.strict': passed(),
  reasoning_effort: translated(reasoningEffort),
  'reasoning.max_tokens': translated('turns reasoning on; there is no budget'),
  thinking: refused('it is a field of another vendor: use reasoning_effort'),
  prediction: passed(),
  web_search_options: refused('use a tool of type web_search instead'),
  prompt_cache_key: passed(),
  unknown: passed('Mistral returns 422 for unknown fields and names the field'),
}
