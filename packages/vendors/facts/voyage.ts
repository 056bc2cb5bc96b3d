import { vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'

const parameters = ['dimensions', 'encoding_format', 'input_type']

/** https://docs.voyageai.com/docs/embeddings; prices: https://docs.voyageai.com/docs/pricing. */
export const voyageFacts: VendorFacts = {
  groups: [
    {
      ...vectors,
      models: {
        'voyage-3-large': '2025-01-07',
        'voyage-3.5': '2025-05-20',
        'voyage-3.5-lite': '2025-05-20',
        'voyage-code-3': '2024-12-04',
      },
      context: 32_000,
      parameters,
      dimensions: 1_024,
    },
  ],
  names: {
    'voyage-3-large': 'Voyage 3 Large',
    'voyage-3.5': 'Voyage 3.5',
    'voyage-3.5-lite': 'Voyage 3.5 Lite',
    'voyage-code-3': 'Voyage Code 3',
  },
  pricing: {
    'voyage-3-large': { prompt: '0.00000018', completion: '0' },
    'voyage-3.5': { prompt: '0.00000006', completion: '0' },
    'voyage-3.5-lite': { prompt: '0.00000002', completion: '0' },
    'voyage-code-3': { prompt: '0.00000018', completion: '0' },
  },
}
