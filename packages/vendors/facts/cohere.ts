import { vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'

/**
 * https://docs.cohere.com/docs/models#embed. Not here: embed-english-v3.0 and embed-multilingual-v3.0, of
 * which https://cohere.com/pricing names no price any more.
 */
export const cohereFacts: VendorFacts = {
  groups: [
    {
      ...vectors,
      models: { 'embed-v4.0': '2025-04-15' },
      context: 128_000,
      parameters: ['dimensions', 'encoding_format', 'input_type'],
      dimensions: 1_536,
    },
  ],
  names: { 'embed-v4.0': 'Embed 4' },
}
