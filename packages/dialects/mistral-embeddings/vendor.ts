import { openaiEmbeddings } from '../openai-embeddings/vendor.ts'
import type { EmbedFormat } from '../vendor.ts'
import { mistralEmbeddingsFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** Mistral's embeddings, whose answers are like OpenAI's: https://docs.mistral.ai/api/endpoint/embeddings. */
export const mistralEmbeddings: EmbedFormat = {
  ...openaiEmbeddings,
  name: 'mistral-embeddings',
  operations: {
    embed: { ...openaiEmbeddings.operations.embed, fields: mistralEmbeddingsFields, formatRequest },
  },
}
