import { passed, refused, translated, type FieldTable } from '../../requests/fields/field-table.ts'
import {
  fieldsOfFew,
  fieldsOfGenerate,
  fieldsOfMessages,
  fieldsOfResponses,
} from '../../requests/fields/foreign-fields.ts'
import { textCompletionFields } from '../../requests/fields/text-completion-fields.ts'

const textAlone = 'the model reads text alone'

/**
 * Models that continue a text and have no conversations. A caller's body of this format passes whatever this
 * table says, and a vendor that does not know a field reports that itself.
 */
export const completionsFields: FieldTable = {
  ...fieldsOfFew,
  ...fieldsOfMessages,
  ...fieldsOfGenerate,
  ...fieldsOfResponses,
  ...textCompletionFields,
  'messages.image_url': refused(textAlone),
  'messages.image_url.detail': refused(textAlone),
  'messages.input_audio': refused(textAlone),
  'messages.file': refused(textAlone),
  'messages.file.text': refused(textAlone),
  'messages.file.file_id': refused(textAlone),
  'messages.tool.image_url': refused(textAlone),
  'messages.unknown_part': refused(textAlone),
  'prompt.array': passed(),
  'prompt.numbers': passed(),
  suffix: passed(),
  echo: passed(),
  best_of: passed(),
  'logprobs.number': passed(),
  stream: translated('with `stream_options.include_usage`, where the vendor takes it'),
  'max_completion_tokens.zero': refused('only completions may request 0 tokens, to echo a prompt'),
  temperature: passed(),
  top_p: passed(),
  top_k: passed(),
  min_p: passed(),
  frequency_penalty: passed(),
  presence_penalty: passed(),
  repetition_penalty: passed(),
  logit_bias: passed(),
  seed: passed(),
  stop: passed(),
  n: passed(),
  logprobs: refused('it only returns log probabilities in the format of completions: use /v1/completions'),
  'response_format.json_schema.strict': refused('it cannot enforce a schema'),
  user: passed(),
  unknown: passed(),
}
