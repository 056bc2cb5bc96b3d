import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { dropped, refused, translated } from '../../requests/fields/field-table.ts'

/** https://docs.mistral.ai/api/endpoint/embeddings; it refuses fields that it does not know. */
export const mistralEmbeddingsFields: EmbedFieldTable = {
  model: translated("the model's name at the vendor"),
  'input.array': translated('some 16,000 tokens at once'),
  'input.tokens': refused('it reads texts alone'),
  dimensions: translated('`output_dimension`, which codestral-embed takes'),
  'encoding_format.float': translated('its own'),
  'encoding_format.base64': translated('the numbers are converted to base64'),
  input_type: refused('it has the same vectors for all purposes'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
