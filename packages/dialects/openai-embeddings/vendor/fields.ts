import type { EmbedFieldTable } from '../../embeddings/fields.ts'
import { passed, translated } from '../../requests/field-table.ts'

/**
 * OpenAI's own format, and that of all who speak it. The body of a caller goes as it is, whatever this says,
 * and a vendor that does not know a field says so itself.
 */
export const openaiEmbeddingsFields: EmbedFieldTable = {
  model: translated('its name at the vendor'),
  'input.array': passed('split if the vendor takes fewer at once'),
  'input.tokens': passed(),
  dimensions: passed(),
  'encoding_format.float': passed('base64 from the vendor is converted to numbers'),
  'encoding_format.base64': passed('numbers from the vendor are converted to base64'),
  input_type: passed(),
  user: passed(),
  metadata: passed("without `tags`, which are the gateway's"),
  unknown: passed(),
}
