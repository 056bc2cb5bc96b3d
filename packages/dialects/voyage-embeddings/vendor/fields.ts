import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { dropped, refused, translated } from '../../requests/fields/field-table.ts'

/** https://docs.voyageai.com/reference/embeddings-api */
export const voyageEmbeddingsFields: EmbedFieldTable = {
  model: translated("the model's name at the vendor"),
  'input.array': translated('1,000 at once'),
  'input.tokens': refused('it reads texts alone'),
  dimensions: translated('`output_dimension`'),
  'encoding_format.float': translated('its own'),
  'encoding_format.base64': translated('the same'),
  input_type: translated('`query` or `document`'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
