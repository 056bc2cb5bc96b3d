import type { Pricing } from '@turnpike/protocol'
import { rankings, vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'

const ranking = {
  ...rankings,
  parameters: ['max_tokens_per_doc', 'top_n'],
  formats: ['cohere-rerank'],
} as const

/** A search unit: a query with up to 100 documents. */
const perSearchUnit = (price: string): Pricing => ({ prompt: '0', completion: '0', search_unit: price })

/** https://docs.cohere.com/docs/models; prices: https://cohere.com/pricing. */
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
    {
      ...ranking,
      models: { 'rerank-v4.0-pro': '2025-12-11', 'rerank-v4.0-fast': '2025-12-11' },
      context: 32_768,
    },
    {
      ...ranking,
      models: {
        'rerank-v3.5': '2024-12-02',
        'rerank-english-v3.0': '2024-04-11',
        'rerank-multilingual-v3.0': '2024-04-11',
      },
      context: 4_096,
    },
  ],
  names: {
    'rerank-v4.0-pro': 'Rerank 4 Pro',
    'rerank-v4.0-fast': 'Rerank 4 Fast',
    'rerank-v3.5': 'Rerank 3.5',
    'rerank-english-v3.0': 'Rerank English 3',
    'rerank-multilingual-v3.0': 'Rerank Multilingual 3',
    'embed-v4.0': 'Embed 4',
    'embed-english-v3.0': 'Embed English 3',
    'embed-multilingual-v3.0': 'Embed Multilingual 3',
  },
  pricing: {
    'rerank-v4.0-pro': perSearchUnit('0.0025'),
    'rerank-v4.0-fast': perSearchUnit('0.002'),
    'rerank-v3.5': perSearchUnit('0.002'),
    'rerank-english-v3.0': perSearchUnit('0.002'),
    'rerank-multilingual-v3.0': perSearchUnit('0.002'),
    'embed-v4.0': { prompt: '0.00000012', completion: '0' },
    'embed-english-v3.0': { prompt: '0.0000001', completion: '0' },
    'embed-multilingual-v3.0': { prompt: '0.0000001', completion: '0' },
  },
}
