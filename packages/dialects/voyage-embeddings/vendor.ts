import { openaiEmbeddings } from '../openai-embeddings/vendor.ts'
import type { EmbedFormat } from '../vendor.ts'
import { voyageEmbeddingsFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/**
 * Voyage's embeddings, whose answers are like OpenAI's: https://docs.voyageai.com/reference/embeddings-api.
 */
export const voyageEmbeddings: EmbedFormat = {
  ...openaiEmbeddings,
  name: 'voyage-embeddings',
  operations: {
    embed: { ...openaiEmbeddings.operations.embed, fields: voyageEmbeddingsFields, formatRequest },
  },
}
