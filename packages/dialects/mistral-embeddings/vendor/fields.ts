import { usualEmbedFields, type EmbedFieldTable } from '../../embeddings/fields.ts'
import { refused, translated } from '../../requests/fields/field-table.ts'

/** https://docs.mistral.ai/api/endpoint/embeddings; Mistral refuses unknown fields. */
export const mistralEmbeddingsFields: EmbedFieldTable = {
  ...usualEmbedFields,
  'input.array': translated('some 16,000 tokens at once'),
  dimensions: translated('`output_dimension`, which codestral-embed takes'),
  'encoding_format.float': translated('its own'),
  input_type: refused('it has the same vectors for all purposes'),
}
