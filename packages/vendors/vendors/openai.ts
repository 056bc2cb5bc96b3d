import { bearer, type Vendor } from '../vendor.ts'

export const openai: Vendor = {
  name: 'openai',
  title: 'OpenAI',
  style: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://api.openai.com/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  refusesReasoning: true,
  variable: 'OPENAI_API_KEY',
  documentation: 'https://platform.openai.com/docs/api-reference/chat',
  paidFields: [],
  pricedBy: ['openai'],
}
