import { decodeVendorError } from '../vendor-errors/decode-error.ts'
import type { EmbedFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { openaiEmbeddingsFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** OpenAI's embeddings: https://platform.openai.com/docs/api-reference/embeddings. */
export const openaiEmbeddings: EmbedFormat = {
  name: 'openai-embeddings',
  readsAddress: () => false,
  operations: {
    embed: {
      fields: openaiEmbeddingsFields,
      path: () => '/embeddings',
      formatRequest,
      decode,
    },
  },
  decodeError: decodeVendorError,
}
