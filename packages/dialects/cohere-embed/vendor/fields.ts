import { usualEmbedFields, type EmbedFieldTable } from '../../embeddings/fields.ts'
import { translated } from '../../requests/fields/field-table.ts'

/** https://docs.cohere.com/reference/embed */
export const cohereEmbedFields: EmbedFieldTable = {
  ...usualEmbedFields,
  'input.array': translated('`texts`, 96 at once'),
  dimensions: translated('`output_dimension`'),
  'encoding_format.float': translated('`embedding_types`'),
  input_type: translated('its own word; where none is said, `search_document`'),
}
