import type { ReadFacts } from '../facts/facts.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

export const vendor: Vendor = {
  name: 'together',
  title: 'Together AI',
  ...openaiCompatible,
  baseUrl: 'https://api.together.xyz/v1',
  alsoSpeaks: [
    { format: 'jina-rerank', page: 'https://docs.together.ai/reference/rerank-1' },
    { format: 'openai-embeddings', page: 'https://docs.together.ai/reference/embeddings' },
    {
      format: 'openai-completions',
      page: 'https://docs.together.ai/reference/completions-1',
      byDefault: true,
    },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'TOGETHER_API_KEY',
  documentation: 'https://docs.together.ai/reference/chat-completions-1',
  // A second model, which reads the prompt and the answer.
  paidFields: [{ field: 'safety_model', page: 'https://together.ai/blog/safety-models' }],
  otherHosts: /^api\.together\.ai$/,
  pricedBy: ['together'],
}

export const facts: ReadFacts = async () => (await import('../facts/together.ts')).togetherFacts
