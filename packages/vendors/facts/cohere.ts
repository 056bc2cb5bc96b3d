import { vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'

/** https://docs.cohere.com/docs/models#embed; prices: https://cohere.com/pricing. */
export const cohereFacts: VendorFacts = {
  groups: [
    {
      ...vectors,
      models: { 'embed-v4.0': '2025-04-15' },
      context: 128_000,
      parameters: ['dimensions', 'encoding_format', 'input_type'],
      dimensions: 1_536,
    },
    {
      ...vectors,
      models: { 'embed-english-v3.0': '2023-11-02', 'embed-multilingual-v3.0': '2023-11-02' },
      context: 512,
      parameters: ['encoding_format', 'input_type'],
      dimensions: 1_024,
    },
  ],
  names: {
    'embed-v4.0': 'Embed 4',
    'embed-english-v3.0': 'Embed English 3',
    'embed-multilingual-v3.0': 'Embed Multilingual 3',
  },
  pricing: {
    'embed-v4.0': { prompt: '0.00000012', completion: '0' },
    'embed-english-v3.0': { prompt: '0.0000001', completion: '0' },
    'embed-multilingual-v3.0': { prompt: '0.0000001', completion: '0' },
  },
}
