import { rankings, vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'

const parameters = ['dimensions', 'encoding_format', 'input_type']

const ranking = { ...rankings, parameters: ['top_n'], formats: ['voyage-rerank'] } as const

/**
 * https://docs.voyageai.com/docs/embeddings; by default all of them return 1,024 numbers.
 * https://docs.voyageai.com/docs/reranker
 */
export const voyageFacts: VendorFacts = {
  groups: [
    {
      ...vectors,
      models: {
        'voyage-4-large': '2026-01-15',
        'voyage-4': '2026-01-15',
        'voyage-4-lite': '2026-01-15',
        'voyage-3-large': '2025-01-07',
        'voyage-3.5': '2025-05-20',
        'voyage-3.5-lite': '2025-05-20',
        'voyage-code-3': '2024-12-04',
      },
      context: 32_000,
      parameters,
      dimensions: 1_024,
    },
    {
      ...ranking,
      models: { 'rerank-2.5': '2025-08-11', 'rerank-2.5-lite': '2025-08-11' },
      context: 32_000,
    },
    { ...ranking, models: { 'rerank-2': '2024-09-30' }, context: 16_000 },
    { ...ranking, models: { 'rerank-2-lite': '2024-09-30' }, context: 8_000 },
  ],
  names: {
    'rerank-2.5': 'Rerank 2.5',
    'rerank-2.5-lite': 'Rerank 2.5 Lite',
    'rerank-2': 'Rerank 2',
    'rerank-2-lite': 'Rerank 2 Lite',
  },
  // From https://openrouter.ai/voyageai; the query counts once for each document.
  pricing: {
    'rerank-2.5': { prompt: '0.00000005', completion: '0' },
    'rerank-2.5-lite': { prompt: '0.00000002', completion: '0' },
    'rerank-2': { prompt: '0.00000005', completion: '0' },
    'rerank-2-lite': { prompt: '0.00000002', completion: '0' },
  },
}
