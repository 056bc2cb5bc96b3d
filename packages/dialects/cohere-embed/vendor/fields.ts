import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { dropped, refused, translated } from '../../requests/fields/field-table.ts'

/** https://docs.cohere.com/reference/embed */
export const cohereEmbedFields: EmbedFieldTable = {
  model: translated("the model's name at the vendor"),
  'input.array': translated('`texts`, 96 at once'),
  'input.tokens': refused('it reads texts alone'),
  dimensions: translated('`output_dimension`'),
  'encoding_format.float': translated('`embedding_types`'),
  'encoding_format.base64': translated('the numbers are converted to base64'),
  input_type: translated('its own word; where none is said, `search_document`'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
