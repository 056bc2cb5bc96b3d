import type { ReadFacts } from '../facts/facts.ts'
import { bearer, type Vendor } from '../vendor.ts'

/**
 * Its own API. It speaks OpenAI's format at another address (https://docs.cohere.com/docs/compatibility-api).
 */
export const vendor: Vendor = {
  name: 'cohere',
  title: 'Cohere',
  style: 'openai',
  format: 'cohere-chat',
  baseUrl: 'https://api.cohere.com/v2',
  alsoSpeaks: [
    { format: 'cohere-embed', page: 'https://docs.cohere.com/reference/embed' },
    { format: 'cohere-rerank', page: 'https://docs.cohere.com/reference/rerank' },
  ],
  // https://docs.cohere.com/reference/embed
  batches: { embed: { inputs: 96 } },
  keyHeader: bearer,
  takesStreamOptions: false,
  variable: 'COHERE_API_KEY',
  documentation: 'https://docs.cohere.com/reference/chat',
  paidFields: [
    // From its API before v2: each chunk of a document is billed as a document.
    { field: 'max_chunks_per_doc', page: 'https://docs.cohere.com/changelog/rerank-v3.5' },
  ],
  pricedBy: ['cohere'],
}

export const facts: ReadFacts = async () => (await import('../facts/cohere.ts')).cohereFacts
