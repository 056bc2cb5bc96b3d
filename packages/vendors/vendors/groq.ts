import type { ReadFacts } from '../facts/facts.ts'
import { ownTools, serviceTiers } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * A stream's last chunk reports the usage in `x_groq` as well as in `usage`. "property 'reasoning_content' is
 * unsupported": https://github.com/janhq/jan/issues/8136.
 */
export const vendor: Vendor = {
  name: 'groq',
  title: 'Groq',
  ...openaiCompatible,
  baseUrl: 'https://api.groq.com/openai/v1',
  takesStreamOptions: true,
  refusesReasoning: true,
  variable: 'GROQ_API_KEY',
  documentation: 'https://console.groq.com/docs/api-reference',
  paidFields: [
    // `flex` costs the same, `performance` whatever the contract says.
    serviceTiers(['auto', 'default', 'on_demand', 'flex'], 'https://console.groq.com/docs/service-tiers'),
    // Browser search and code interpreter of the gpt-oss models.
    ownTools('https://groq.com/pricing'),
    { field: 'search_settings', free: 'empty', page: 'https://console.groq.com/docs/web-search' },
    { field: 'compound_custom', free: 'empty', page: 'https://console.groq.com/docs/compound' },
  ],
  pricedBy: ['groq'],
}

export const facts: ReadFacts = async () => (await import('../facts/groq.ts')).groqFacts
