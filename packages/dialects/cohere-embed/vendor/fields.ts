import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { dropped, refused, translated } from '../../requests/field-table.ts'

/** https://docs.cohere.com/reference/embed */
export const cohereEmbedFields: EmbedFieldTable = {
  model: translated('its name at the vendor'),
  'input.array': translated('`texts`, up to 96 at once'),
  'input.tokens': refused('it reads text only'),
  dimensions: translated('`output_dimension`'),
  'encoding_format.float': translated('`embedding_types`'),
  'encoding_format.base64': translated('converted to base64'),
  input_type: translated('its own value; `search_document` by default'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
