import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * Names of models are paths (`deepseek-ai/DeepSeek-V3.2`); they and their prices are the configuration's.
 * What an answer cost (`usage.estimated_cost`) is the operator's to know, and no caller is told.
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
