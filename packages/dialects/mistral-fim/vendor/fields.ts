import { passed, refused, translated, type FieldTable } from '../../requests/fields/field-table.ts'
import { foreignFields } from '../../requests/fields/foreign-fields.ts'
import { textCompletionFields } from '../../requests/fields/text-completion-fields.ts'

const textAlone = 'it reads text alone'
const noParameter = 'it has no such parameter'

/** `FIMCompletionRequest` of https://docs.mistral.ai/api/, endpoint fim. */
export const fimFields: FieldTable = {
  ...foreignFields,
  ...textCompletionFields,
  'messages.image_url': refused(textAlone),
  'messages.image_url.detail': refused(textAlone),
  'messages.input_audio': refused(textAlone),
  'messages.file': refused(textAlone),
  'messages.file.text': refused(textAlone),
  'messages.file.file_id': refused(textAlone),
  'messages.tool.image_url': refused(textAlone),
  'messages.unknown_part': refused(textAlone),
  suffix: passed(),
  stream: translated('without `stream_options`: the last chunk has the usage'),
  temperature: passed(),
  top_p: passed(),
  top_k: refused(noParameter),
  min_p: refused(noParameter),
  frequency_penalty: refused(noParameter),
  presence_penalty: refused(noParameter),
  repetition_penalty: refused(noParameter),
  logit_bias: refused(noParameter),
  seed: translated('as `random_seed`'),
  stop: passed(),
  n: refused('it gives one choice'),
  logprobs: refused('it does not return log probabilities'),
  'response_format.json_schema.strict': refused('it is held to no schema'),
  unknown: passed('Mistral returns 422 for unknown fields and names the field'),
}
