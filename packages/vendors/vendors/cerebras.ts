import { bearer, type Vendor } from '../vendor.ts'

export const cerebras: Vendor = {
  name: 'cerebras',
  title: 'Cerebras',
  style: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://api.cerebras.ai/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  variable: 'CEREBRAS_API_KEY',
  documentation: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
  pricedBy: ['cerebras'],
}
