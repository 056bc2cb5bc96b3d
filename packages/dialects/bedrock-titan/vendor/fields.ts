import { usualEmbedFields, type EmbedFieldTable } from '../../embeddings/fields.ts'
import { dropped, translated } from '../../requests/fields/field-table.ts'

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
export const titanFields: EmbedFieldTable = {
  ...usualEmbedFields,
  model: translated('in the path'),
  'input.array': translated('a call for each text'),
  dimensions: translated('`dimensions` (256, 512 or 1024; version 2)'),
  'encoding_format.float': translated('it returns lists of numbers'),
  input_type: dropped('it has the same vectors for all purposes'),
}
