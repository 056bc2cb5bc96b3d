import type { ReadFacts } from '../facts/facts.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

/** No version in the address; every chunk of a stream has the usage so far. */
export const vendor: Vendor = {
  name: 'perplexity',
  title: 'Perplexity',
  ...openaiCompatible,
  baseUrl: 'https://api.perplexity.ai',
  takesStreamOptions: false,
  outputBoundField: 'max_tokens',
  variable: 'PERPLEXITY_API_KEY',
  documentation: 'https://docs.perplexity.ai/api-reference/chat-completions-post',
  paidFields: [
    // A request's fee is that of the largest context, with this field or without; Pro Search has a separate
    // fee.
    {
      field: 'web_search_options',
      free: {
        members: {
          search_context_size: 'any',
          user_location: 'any',
          image_results_enhanced_relevance: 'any',
          search_type: ['fast'],
        },
      },
      page: 'https://docs.perplexity.ai/getting-started/pricing',
    },
    {
      field: 'search_type',
      free: { only: ['fast'] },
      page: 'https://docs.perplexity.ai/getting-started/pricing',
    },
  ],
  // For deep research, which bills each search.
  unaskedSearches: 30,
  pricedBy: ['perplexity'],
}

export const facts: ReadFacts = async () => (await import('../facts/perplexity.ts')).perplexityFacts
