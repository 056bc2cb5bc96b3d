import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { passed, translated } from '../../requests/fields/field-table.ts'

/**
 * OpenAI's own format, and that of all vendors who speak it. A caller's body passes whatever this table says,
 * and a vendor that does not know a field reports that itself.
 */
export const openaiEmbeddingsFields: EmbedFieldTable = {
  model: translated("the model's name at the vendor"),
  'input.array': passed('in parts, where there are more than the vendor takes at once'),
  'input.tokens': passed(),
  dimensions: passed(),
  'encoding_format.float': passed('where the vendor answers in base64, it is made numbers'),
  'encoding_format.base64': passed('where the vendor answers in numbers, they are made base64'),
  input_type: passed(),
  user: passed(),
  metadata: passed('except `tags`, which the gateway uses'),
  unknown: passed(),
}
