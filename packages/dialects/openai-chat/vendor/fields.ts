import { passed, requestFields, translated, type FieldTable } from '../../requests/fields/field-table.ts'
import {
  fieldsOfCompletions,
  fieldsOfGenerate,
  fieldsOfMessages,
  fieldsOfResponses,
} from '../../requests/fields/foreign-fields.ts'

/**
 * OpenAI's own format, and that of all vendors who speak it. A caller's body of this format passes whatever
 * this table says, and a vendor that does not know a field reports that itself.
 */
export const openaiChatFields: FieldTable = {
  ...(Object.fromEntries(requestFields.map((field) => [field, passed()])) as FieldTable),
  ...fieldsOfCompletions,
  ...fieldsOfMessages,
  ...fieldsOfGenerate,
  ...fieldsOfResponses,
  model: translated("the model's name at the vendor"),
  stream: translated('with `stream_options.include_usage`, where the vendor takes it'),
  'messages.file.text': translated('as text: of documents it reads PDF alone'),
  'tools.strict': translated('`strict` where the schema is closed and requires all, else left out'),
  'response_format.json_schema': translated(
    'with `strict` at OpenAI, Azure and OpenRouter where the schema is closed and requires all; ' +
      'at Z.ai as json_object, with the schema among the instructions',
  ),
  metadata: passed('except `tags`, which the gateway uses'),
}
