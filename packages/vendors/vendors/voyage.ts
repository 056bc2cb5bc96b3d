import type { ReadFacts } from '../facts/facts.ts'
import { bearer, type Vendor } from '../vendor.ts'

/** Embeddings and rankings. */
export const vendor: Vendor = {
  name: 'voyage',
  title: 'Voyage AI',
  style: 'openai',
  format: 'voyage-embeddings',
  baseUrl: 'https://api.voyageai.com/v1',
  alsoSpeaks: [{ format: 'voyage-rerank', page: 'https://docs.voyageai.com/reference/reranker-api' }],
  // https://docs.voyageai.com/reference/embeddings-api: some models take more tokens, none takes fewer.
  batches: { embed: { inputs: 1_000, tokens: 120_000 } },
  keyHeader: bearer,
  takesStreamOptions: false,
  variable: 'VOYAGE_API_KEY',
  documentation: 'https://docs.voyageai.com/reference/embeddings-api',
  untried: true,
  paidFields: [],
  pricedBy: ['voyageai'],
}

export const facts: ReadFacts = async () => (await import('../facts/voyage.ts')).voyageFacts
