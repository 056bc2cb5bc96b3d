import type { Vendor } from '../vendor.ts'

/** `anthropic-version` is the dialect's, sent with every call. */
export const anthropic: Vendor = {
  name: 'anthropic',
  title: 'Anthropic',
  style: 'anthropic',
  dialect: 'anthropic-messages',
  baseUrl: 'https://api.anthropic.com',
  credential: { header: 'x-api-key', prefix: '' },
  headers: {},
  takesStreamOptions: false,
  variable: 'ANTHROPIC_API_KEY',
  documentation: 'https://platform.claude.com/docs/en/api/messages',
  pricedBy: ['anthropic'],
}
