import type { EmbedFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { googleEmbedFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** Google's embeddings: https://ai.google.dev/api/embeddings#method:-models.batchembedcontents. */
export const googleEmbed: EmbedFormat = {
  name: 'google-embed',
  readsAddress: () => false,
  operations: {
    embed: {
      fields: googleEmbedFields,
      path: (model) => `/models/${encodeURIComponent(model)}:batchEmbedContents`,
      formatRequest,
      decode,
    },
  },
  decodeError,
}
