import { vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'

const parameters = ['dimensions', 'encoding_format', 'input_type']

/** https://docs.voyageai.com/docs/embeddings; all of them give 1,024 numbers where nobody says. */
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
  ],
}
