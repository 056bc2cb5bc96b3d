import { bearer, type Vendor } from '../vendor.ts'

/** Rankings and embeddings; models and prices must be configured. */
export const vendor: Vendor = {
  name: 'jina',
  title: 'Jina AI',
  style: 'openai',
  format: 'jina-rerank',
  baseUrl: 'https://api.jina.ai/v1',
  alsoSpeaks: [{ format: 'openai-embeddings', page: 'https://jina.ai/embeddings' }],
  keyHeader: bearer,
  takesStreamOptions: false,
  variable: 'JINA_API_KEY',
  documentation: 'https://jina.ai/reranker',
  untried: true,
  paidFields: [],
  pricedBy: [],
}
