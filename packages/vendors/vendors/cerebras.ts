import type { ReadFacts } from '../facts/facts.ts'
import { serviceTiers } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * "property 'messages.2.assistant.reasoning_content' is unsupported":
 * https://github.com/Kilo-Org/kilocode/issues/10375.
 */
export const vendor: Vendor = {
  name: 'cerebras',
  title: 'Cerebras',
  ...openaiCompatible,
  baseUrl: 'https://api.cerebras.ai/v1',
  takesStreamOptions: true,
  outputBoundField: 'max_completion_tokens',
  refusesReasoning: true,
  variable: 'CEREBRAS_API_KEY',
  documentation: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
  untried: true,
  paidFields: [
    serviceTiers(
      ['auto', 'default', 'flex'],
      'https://inference-docs.cerebras.ai/capabilities/service-tiers',
    ),
  ],
  pricedBy: ['cerebras'],
}

export const facts: ReadFacts = async () => (await import('../facts/cerebras.ts')).cerebrasFacts
