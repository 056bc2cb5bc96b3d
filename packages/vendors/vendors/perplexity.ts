import { bearer, type Vendor } from '../vendor.ts'

/** No version in the address; every chunk of a stream carries the usage so far, unasked. */
export const perplexity: Vendor = {
  name: 'perplexity',
  title: 'Perplexity',
  style: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://api.perplexity.ai',
  credential: bearer,
  headers: {},
  takesStreamOptions: false,
  outputBoundField: 'max_tokens',
  variable: 'PERPLEXITY_API_KEY',
  documentation: 'https://docs.perplexity.ai/api-reference/chat-completions-post',
  pricedBy: ['perplexity'],
}
