import { bearer, type Vendor } from '../vendor.ts'

export const together: Vendor = {
  name: 'together',
  title: 'Together AI',
  style: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://api.together.xyz/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  variable: 'TOGETHER_API_KEY',
  documentation: 'https://docs.together.ai/reference/chat-completions-1',
  paidFields: [],
  otherHosts: /^api\.together\.ai$/,
  pricedBy: ['together'],
}
