import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * GitHub Models. The key is a token with the permission `models: read`; names have their publisher before
 * them (`openai/gpt-4.1`). Requests that an organization is to pay for go to `base_url:
 * https://models.github.ai/orgs/<org>/inference`. What they cost is billed by multipliers of its own, so
 * that models and prices are the configuration's.
 */
export const vendor: Vendor = {
  name: 'github',
  title: 'GitHub Models',
  ...openaiCompatible,
  baseUrl: 'https://models.github.ai/inference',
  alsoSpeaks: [{ format: 'openai-embeddings', page: 'https://docs.github.com/en/rest/models/embeddings' }],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  reasoningBoundField: 'max_completion_tokens',
  variable: 'GITHUB_TOKEN',
  documentation: 'https://docs.github.com/en/rest/models/inference',
  untried: true,
  paidFields: [],
  otherHosts: /^models\.inference\.ai\.azure\.com$/,
  pricedBy: [],
}
