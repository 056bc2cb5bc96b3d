import type { EmbedFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { cohereEmbedFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** Cohere's native embeddings API: https://docs.cohere.com/reference/embed. */
export const cohereEmbed: EmbedFormat = {
  name: 'cohere-embed',
  readsAddress: () => false,
  operations: { embed: { fields: cohereEmbedFields, path: () => '/embed', formatRequest, decode } },
  decodeError,
}
