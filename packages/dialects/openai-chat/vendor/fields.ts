import { passed, requestFields, translated, type FieldTable } from '../../requests/field-table.ts'
import { fieldsOfMessages } from '../../requests/foreign-fields.ts'

/**
 * OpenAI's own format, and that of all who speak it. The body of a caller of this format goes as it is,
 * whatever this says, and a vendor that does not know a field says so itself.
 */
export const openaiChatFields: FieldTable = {
  ...(Object.fromEntries(requestFields.map((field) => [field, passed()])) as FieldTable),
  ...fieldsOfMessages,
  model: translated('the name that it has at the vendor'),
  stream: translated('with `stream_options.include_usage`, where the vendor takes it'),
  metadata: passed("but for `tags`, which are the gateway's"),
}
