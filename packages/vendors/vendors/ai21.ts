import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * Jamba. Its chat completions follow OpenAI's in all that they support; a stream's last chunk always has the
 * usage. It supports the roles system, user, assistant and tool, and JSON answers without a schema. Models
 * and prices must be configured.
 */
export const vendor: Vendor = {
  name: 'ai21',
  title: 'AI21 Labs',
  ...openaiCompatible,
  baseUrl: 'https://api.ai21.com/studio/v1',
  takesStreamOptions: false,
  outputBoundField: 'max_tokens',
  refusesDeveloper: true,
  schemas: 'instructed',
  variable: 'AI21_API_KEY',
  documentation: 'https://docs.ai21.com/reference/jamba-1-6-api-ref',
  untried: true,
  paidFields: [],
  pricedBy: [],
}
