import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { dropped, refused, translated } from '../../requests/fields/field-table.ts'

/** https://ai.google.dev/api/embeddings */
export const googleEmbedFields: EmbedFieldTable = {
  model: translated('`model` of each text'),
  'input.array': translated('a request for each, 100 at once'),
  'input.tokens': refused('it reads texts alone'),
  dimensions: translated('`outputDimensionality`'),
  'encoding_format.float': translated('its own'),
  'encoding_format.base64': translated('the numbers are converted to base64'),
  input_type: translated('`taskType`'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
