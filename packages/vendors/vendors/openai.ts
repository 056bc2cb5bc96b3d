import type { ReadFacts } from '../facts/facts.ts'
import { responsesTools } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

export const vendor: Vendor = {
  name: 'openai',
  title: 'OpenAI',
  ...openaiCompatible,
  baseUrl: 'https://api.openai.com/v1',
  alsoSpeaks: [
    {
      format: 'openai-responses',
      base: '/v1',
      page: 'https://platform.openai.com/docs/api-reference/responses',
      byDefault: true,
      countsTokens: true,
    },
    { format: 'openai-completions', page: 'https://platform.openai.com/docs/api-reference/completions' },
    { format: 'openai-embeddings', page: 'https://platform.openai.com/docs/api-reference/embeddings' },
    { format: 'openai-moderations', page: 'https://platform.openai.com/docs/api-reference/moderations' },
  ],
  // https://platform.openai.com/docs/api-reference/embeddings/create#embeddings-create-input
  batches: { embed: { inputs: 2_048, tokens: 300_000 } },
  takesStreamOptions: true,
  // "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'
  // instead."
  reasoningBoundField: 'max_completion_tokens',
  refusesReasoning: true,
  readsDetail: true,
  schemas: 'strict',
  variable: 'OPENAI_API_KEY',
  documentation: 'https://platform.openai.com/docs/api-reference/chat',
  paidFields: [responsesTools('https://platform.openai.com/docs/pricing#built-in-tools')],
  pricedBy: ['openai'],
}

export const facts: ReadFacts = async () => (await import('../facts/openai.ts')).openaiFacts
