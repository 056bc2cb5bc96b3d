import type { ReadFacts } from '../facts/facts.ts'
import { ownTools } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

export const vendor: Vendor = {
  name: 'xai',
  title: 'xAI',
  ...openaiCompatible,
  baseUrl: 'https://api.x.ai/v1',
  alsoSpeaks: [
    {
      format: 'openai-responses',
      base: '/v1',
      page: 'https://docs.x.ai/docs/api-reference#create-new-response',
    },
  ],
  takesStreamOptions: true,
  variable: 'XAI_API_KEY',
  documentation: 'https://docs.x.ai/docs/api-reference',
  paidFields: [
    {
      field: 'search_parameters',
      free: { where: { mode: ['off'] } },
      chargedBy: 'web_search',
      page: 'https://docs.x.ai/docs/guides/live-search',
    },
    ownTools('https://docs.x.ai/docs/guides/tools/overview'),
  ],
  pricedBy: ['x-ai'],
}

export const facts: ReadFacts = async () => (await import('../facts/xai.ts')).xaiFacts
