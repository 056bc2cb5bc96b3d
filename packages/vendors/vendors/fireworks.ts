import type { ReadFacts } from '../facts/facts.ts'
import { serviceTiers } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

/** Model names are paths: `accounts/fireworks/models/…`. */
export const vendor: Vendor = {
  name: 'fireworks',
  title: 'Fireworks AI',
  ...openaiCompatible,
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  alsoSpeaks: [
    { format: 'openai-embeddings', page: 'https://docs.fireworks.ai/guides/querying-embeddings-models' },
    {
      format: 'openai-completions',
      page: 'https://docs.fireworks.ai/api-reference/post-completions',
      byDefault: true,
    },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'FIREWORKS_API_KEY',
  documentation: 'https://docs.fireworks.ai/api-reference/post-chatcompletions',
  untried: true,
  paidFields: [
    serviceTiers(
      ['auto', 'default', 'standard', 'flex'],
      'https://docs.fireworks.ai/serverless/priority-and-fast',
    ),
  ],
  otherHosts: /^us\.api\.fireworks\.ai$/,
  pricedBy: ['fireworks'],
}

export const facts: ReadFacts = async () => (await import('../facts/fireworks.ts')).fireworksFacts
