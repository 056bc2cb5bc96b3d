import { bearer, type Vendor } from '../vendor.ts'

export const deepseek: Vendor = {
  name: 'deepseek',
  title: 'DeepSeek',
  style: 'deepseek',
  format: 'deepseek-chat',
  baseUrl: 'https://api.deepseek.com/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  variable: 'DEEPSEEK_API_KEY',
  documentation: 'https://api-docs.deepseek.com/api/create-chat-completion',
  paidFields: [],
  pricedBy: ['deepseek'],
}
