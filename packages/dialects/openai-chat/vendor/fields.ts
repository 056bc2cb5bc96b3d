import { passed, requestFields, translated, type FieldTable } from '../../requests/field-table.ts'
import {
  fieldsOfCompletions,
  fieldsOfGenerate,
  fieldsOfMessages,
  fieldsOfResponses,
} from '../../requests/foreign-fields.ts'

/**
 * OpenAI's own format, and that of all who speak it. The body of a caller of this format goes as it is,
 * whatever this says, and a vendor that does not know a field says so itself.
 */
export const openaiChatFields: FieldTable = {
  ...(Object.fromEntries(requestFields.map((field) => [field, passed()])) as FieldTable),
  ...fieldsOfCompletions,
  ...fieldsOfMessages,
  ...fieldsOfGenerate,
  ...fieldsOfResponses,
  model: translated('its name at the vendor'),
  stream: translated('with `stream_options.include_usage`, if the vendor supports it'),
  'messages.file.text': translated('text, since the only documents it reads are PDFs'),
  'tools.strict': translated('`strict` if the schema is closed and requires all members, else left out'),
  'response_format.json_schema': translated(
    'with `strict` at OpenAI, Azure and OpenRouter if the schema is closed and requires all ' +
      'members; at Z.ai json_object with the schema in the instructions',
  ),
  metadata: passed("without `tags`, which are the gateway's"),
}
