import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * Jamba. Its chat is OpenAI's in all that it has; the last chunk of a stream carries the usage unasked. It
 * knows the roles system, user, assistant and tool, and of answers in JSON an object without a schema.
 * Models and prices are the configuration's.
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
