import { usualEmbedFields, type EmbedFieldTable } from '../../embeddings/fields.ts'
import { translated } from '../../requests/fields/field-table.ts'

/** https://docs.voyageai.com/reference/embeddings-api */
export const voyageEmbeddingsFields: EmbedFieldTable = {
  ...usualEmbedFields,
  'input.array': translated('1,000 at once'),
  dimensions: translated('`output_dimension`'),
  'encoding_format.float': translated('its own'),
  'encoding_format.base64': translated('the same'),
  input_type: translated('`query` or `document`'),
}
