import type { RerankFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { cohereRerankFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** Cohere's rerank API: https://docs.cohere.com/reference/rerank. */
export const cohereRerank: RerankFormat = {
  name: 'cohere-rerank',
  readsAddress: () => false,
  operations: {
    rerank: {
      fields: cohereRerankFields,
      unit: 'search_unit',
      path: () => '/rerank',
      formatRequest,
      decode,
    },
  },
  decodeError,
}
