import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { dropped, refused, translated } from '../../requests/field-table.ts'

/** https://docs.mistral.ai/api/endpoint/embeddings; it refuses fields that it does not know. */
export const mistralEmbeddingsFields: EmbedFieldTable = {
  model: translated('its name at the vendor'),
  'input.array': translated('about 16,000 tokens at once'),
  'input.tokens': refused('it reads text only'),
  dimensions: translated('`output_dimension` (codestral-embed)'),
  'encoding_format.float': translated('its own value'),
  'encoding_format.base64': translated('converted to base64'),
  input_type: refused('its vectors are the same for every purpose'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
