import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { dropped, refused, translated } from '../../requests/fields/field-table.ts'

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
export const titanFields: EmbedFieldTable = {
  model: translated('in the path'),
  'input.array': translated('a call for each text'),
  'input.tokens': refused('it reads texts alone'),
  dimensions: translated('`dimensions` (256, 512 or 1024; version 2)'),
  'encoding_format.float': translated('it returns lists of numbers'),
  'encoding_format.base64': translated('the numbers are converted to base64'),
  input_type: dropped('it has the same vectors for all purposes'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
