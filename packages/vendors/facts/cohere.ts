import type { Pricing } from '@turnpike/protocol'
import { rankings, vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'
import { coherePlain } from './parameters.ts'

const plainText = { input: ['text'], parameters: coherePlain } as const

const ranking = {
  ...rankings,
  parameters: ['max_tokens_per_doc', 'top_n'],
  formats: ['cohere-rerank'],
} as const

/** A search unit is a query with up to 100 documents. */
const perSearchUnit = (price: string): Pricing => ({ prompt: '0', completion: '0', search_unit: price })

/**
 * https://docs.cohere.com/docs/models. Not here: generating models for reasoning, vision or translation,
 * which have no price per token (https://docs.cohere.com/docs/command-a-reasoning: free up to its limits,
 * otherwise in a private deployment); embed-english-v3.0, embed-multilingual-v3.0 and version 3.0 of the
 * ranking models, whose prices https://cohere.com/pricing no longer lists; and version 5 of the ranking
 * models, which is billed by tokens.
 */
export const cohereFacts: VendorFacts = {
  groups: [
    { ...plainText, models: { 'command-a-03-2025': '2025-03-13' }, context: 256_000, output: 8_000 },
    {
      ...plainText,
      models: {
        'command-r-08-2024': '2024-08-30',
        'command-r-plus-08-2024': '2024-08-30',
        'command-r7b-12-2024': '2024-12-13',
      },
      context: 128_000,
      output: 4_000,
    },
    {
      ...vectors,
      models: { 'embed-v4.0': '2025-04-15' },
      formats: ['cohere-embed'],
      context: 128_000,
      parameters: ['dimensions', 'encoding_format', 'input_type'],
      dimensions: 1_536,
    },
    {
      ...ranking,
      models: { 'rerank-v4.0-pro': '2025-12-11', 'rerank-v4.0-fast': '2025-12-11' },
      context: 32_768,
    },
    { ...ranking, models: { 'rerank-v3.5': '2024-12-02' }, context: 4_096 },
  ],
  names: {
    'command-r-08-2024': 'Command R (08-2024)',
    'command-r-plus-08-2024': 'Command R+ (08-2024)',
    'command-r7b-12-2024': 'Command R7B (12-2024)',
    'rerank-v4.0-pro': 'Rerank 4 Pro',
    'rerank-v4.0-fast': 'Rerank 4 Fast',
    'rerank-v3.5': 'Rerank 3.5',
    'embed-v4.0': 'Embed 4',
  },
  // A thousand units are 2.50 and 2.00 USD: https://developer.puter.com/tutorials/cohere-api-pricing/.
  pricing: {
    'rerank-v4.0-pro': perSearchUnit('0.0025'),
    'rerank-v4.0-fast': perSearchUnit('0.002'),
    'rerank-v3.5': perSearchUnit('0.002'),
  },
}
