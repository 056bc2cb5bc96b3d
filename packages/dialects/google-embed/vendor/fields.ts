import { usualEmbedFields, type EmbedFieldTable } from '../../embeddings/fields.ts'
import { translated } from '../../requests/fields/field-table.ts'

/** https://ai.google.dev/api/embeddings */
export const googleEmbedFields: EmbedFieldTable = {
  ...usualEmbedFields,
  model: translated('`model` of each text'),
  'input.array': translated('a request for each, 100 at once'),
  dimensions: translated('`outputDimensionality`'),
  'encoding_format.float': translated('its own'),
  input_type: translated('`taskType`'),
}
