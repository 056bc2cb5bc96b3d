import { bearer, type Vendor } from '../vendor.ts'

/** Its own API of vectors and rankings; chat models: https://docs.cohere.com/docs/compatibility-api. */
export const cohere: Vendor = {
  name: 'cohere',
  title: 'Cohere',
  style: 'openai',
  format: 'cohere-embed',
  baseUrl: 'https://api.cohere.com/v2',
  alsoSpeaks: [{ format: 'cohere-rerank', page: 'https://docs.cohere.com/reference/rerank' }],
  // https://docs.cohere.com/reference/embed
  batches: { embed: { inputs: 96 } },
  credential: bearer,
  headers: {},
  takesStreamOptions: false,
  variable: 'COHERE_API_KEY',
  documentation: 'https://docs.cohere.com/reference/embed',
  paidFields: [
    // Of its API before v2: each chunk of a document is billed as a document.
    { field: 'max_chunks_per_doc', page: 'https://docs.cohere.com/changelog/rerank-v3.5' },
  ],
  pricedBy: ['cohere'],
}
