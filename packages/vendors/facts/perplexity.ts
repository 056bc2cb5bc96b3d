import type { VendorFacts } from './facts.ts'
import { perplexityPlain, perplexityReasoning } from './parameters.ts'

const image = ['text', 'image'] as const

/**
 * https://docs.perplexity.ai/getting-started/models. A request's fee depends on how much it searches. The
 * data has the highest fee, so that no request is charged less than it costs.
 */
export const perplexityFacts: VendorFacts = {
  groups: [
    { models: { sonar: '2025-01-21' }, output: 4_096, input: image, parameters: perplexityPlain },
    { models: { 'sonar-pro': '2025-01-21' }, output: 8_192, input: image, parameters: perplexityPlain },
    {
      models: { 'sonar-reasoning-pro': '2025-01-29' },
      output: 4_096,
      input: image,
      parameters: perplexityReasoning,
    },
    {
      models: { 'sonar-deep-research': '2025-02-14' },
      output: 32_768,
      input: ['text'],
      parameters: perplexityReasoning,
    },
  ],
}
