import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * Model names are paths (`deepseek-ai/DeepSeek-V3.2`); models and prices must be configured. An answer's cost
 * (`usage.estimated_cost`) is for the operator and not passed on to callers.
 */
export const vendor: Vendor = {
  name: 'deepinfra',
  title: 'DeepInfra',
  ...openaiCompatible,
  baseUrl: 'https://api.deepinfra.com/v1/openai',
  alsoSpeaks: [
    { format: 'openai-embeddings', page: 'https://docs.deepinfra.com/embeddings/overview' },
    { format: 'openai-completions', page: 'https://docs.deepinfra.com/chat/overview', byDefault: true },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'DEEPINFRA_API_KEY',
  documentation: 'https://docs.deepinfra.com/chat/overview',
  untried: true,
  paidFields: [],
  pricedBy: [],
}
