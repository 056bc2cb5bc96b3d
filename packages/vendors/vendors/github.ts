import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * GitHub Models. The key is a token with the permission `models: read`; model names begin with their
 * publisher (`openai/gpt-4.1`). Requests that an organization pays for use `base_url:
 * https://models.github.ai/orgs/<org>/inference`. Billed by multipliers, so models and prices must be
 * configured.
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
