import { bearer, type Vendor } from '../vendor.ts'

export const xai: Vendor = {
  name: 'xai',
  title: 'xAI',
  style: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://api.x.ai/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  variable: 'XAI_API_KEY',
  documentation: 'https://docs.x.ai/docs/api-reference',
  pricedBy: ['x-ai'],
}
