import type { ReadFacts } from '../facts/facts.ts'
import { bearer, type Vendor } from '../vendor.ts'

export const vendor: Vendor = {
  name: 'deepseek',
  title: 'DeepSeek',
  style: 'deepseek',
  format: 'deepseek-chat',
  baseUrl: 'https://api.deepseek.com/v1',
  // `input_tokens` excludes cached tokens; unknown fields of a request are ignored.
  alsoSpeaks: [
    {
      format: 'anthropic-messages',
      base: '/anthropic',
      page: 'https://api-docs.deepseek.com/api/create-message',
    },
    { format: 'openai-responses', base: '', page: 'https://api-docs.deepseek.com/guides/responses_api' },
    {
      format: 'openai-completions',
      base: '/beta',
      page: 'https://api-docs.deepseek.com/api/create-completion',
    },
  ],
  keyHeader: bearer,
  takesStreamOptions: true,
  variable: 'DEEPSEEK_API_KEY',
  documentation: 'https://api-docs.deepseek.com/api/create-chat-completion',
  paidFields: [],
  pricedBy: ['deepseek'],
}

export const facts: ReadFacts = async () => (await import('../facts/deepseek.ts')).deepseekFacts
