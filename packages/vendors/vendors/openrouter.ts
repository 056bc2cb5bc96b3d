import { bearer, type Vendor } from '../vendor.ts'

/** Sends comment lines (`: OPENROUTER PROCESSING`) until the first token, and numbers as error codes. */
export const openrouter: Vendor = {
  name: 'openrouter',
  title: 'OpenRouter',
  style: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://openrouter.ai/api/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  variable: 'OPENROUTER_API_KEY',
  documentation: 'https://openrouter.ai/docs/api-reference/chat-completion',
  pricedBy: ['openrouter'],
}
