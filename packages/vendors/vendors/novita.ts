import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * Model names are paths (`deepseek/deepseek-v3.2`); models and prices must be configured. Its older address
 * is `https://api.novita.ai/v3/openai`.
 */
export const vendor: Vendor = {
  name: 'novita',
  title: 'Novita AI',
  ...openaiCompatible,
  baseUrl: 'https://api.novita.ai/openai/v1',
  alsoSpeaks: [
    {
      format: 'openai-embeddings',
      page: 'https://novita.ai/docs/api-reference/model-apis-llm-create-embeddings',
    },
    {
      format: 'openai-completions',
      page: 'https://novita.ai/docs/api-reference/model-apis-llm-create-completion',
      byDefault: true,
    },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'NOVITA_API_KEY',
  documentation: 'https://novita.ai/docs/api-reference/model-apis-llm-create-chat-completion',
  untried: true,
  paidFields: [],
  pricedBy: [],
}
