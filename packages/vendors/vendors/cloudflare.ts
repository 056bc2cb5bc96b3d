import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * Workers AI, at an account's own address. Model names contain `@` and slashes
 * (`@cf/meta/llama-3.3-70b-instruct-fp8-fast`). Billed in neurons, so models and prices must be configured.
 */
export const vendor: Vendor = {
  name: 'cloudflare',
  title: 'Cloudflare Workers AI',
  ...openaiCompatible,
  baseUrl: undefined,
  exampleBaseUrl: 'https://api.cloudflare.com/client/v4/accounts/<account>/ai/v1',
  alsoSpeaks: [
    {
      format: 'openai-embeddings',
      page: 'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/',
    },
    {
      format: 'openai-responses',
      base: '/v1',
      page: 'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/',
    },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'CLOUDFLARE_API_TOKEN',
  documentation: 'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/',
  untried: true,
  paidFields: [],
  otherHosts: /^api\.cloudflare\.com$/,
  pricedBy: [],
}
