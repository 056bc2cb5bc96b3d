import { openaiCompatible, type Vendor } from '../vendor.ts'

/** Models and prices must be configured: the price data does not have this vendor. */
export const vendor: Vendor = {
  name: 'sambanova',
  title: 'SambaNova',
  ...openaiCompatible,
  baseUrl: 'https://api.sambanova.ai/v1',
  alsoSpeaks: [
    { format: 'openai-embeddings', page: 'https://docs.sambanova.ai/docs/en/features/embeddings' },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'SAMBANOVA_API_KEY',
  documentation: 'https://docs.sambanova.ai/docs/en/features/openai-compatibility',
  untried: true,
  paidFields: [],
  pricedBy: [],
}
