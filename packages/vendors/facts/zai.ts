import type { VendorFacts } from './facts.ts'
import { reasoningText } from './open-models.ts'
import { openReasoning } from './parameters.ts'

/** https://docs.z.ai/guides/overview/overview */
export const zaiFacts: VendorFacts = {
  groups: [
    {
      ...reasoningText,
      models: { 'glm-4.6': '2025-09-30', 'glm-4.7': '2025-12-22' },
      context: 204_800,
      output: 131_072,
    },
    { ...reasoningText, models: { 'glm-5': '2026-02-12' }, context: 204_800, output: 131_072 },
    { ...reasoningText, models: { 'glm-5.1': '2026-04-07' }, context: 200_000, output: 131_072 },
    { ...reasoningText, models: { 'glm-5.2': '2026-06-13', 'glm-5.3': '2026-08-26' }, output: 131_072 },
    {
      models: { 'glm-5.3-flash': '2026-08-26' },
      output: 131_072,
      input: ['text', 'image', 'video'],
      parameters: openReasoning,
    },
  ],
  names: { 'glm-4.6': 'GLM-4.6', 'glm-4.7': 'GLM-4.7', 'glm-5': 'GLM-5', 'glm-5.1': 'GLM-5.1' },
  // https://docs.z.ai/guides/overview/pricing. The data only has the newest models, and for GLM-5.3-Flash the
  // promotional price of its first weeks, which is half of the price since 2026-09-10.
  pricing: {
    'glm-4.6': { prompt: '0.0000006', completion: '0.0000022', input_cache_read: '0.00000011' },
    'glm-4.7': { prompt: '0.0000006', completion: '0.0000022', input_cache_read: '0.00000011' },
    'glm-5': { prompt: '0.000001', completion: '0.0000032', input_cache_read: '0.0000002' },
    'glm-5.1': { prompt: '0.0000014', completion: '0.0000044', input_cache_read: '0.00000026' },
    'glm-5.3-flash': { prompt: '0.00000015', completion: '0.0000005', input_cache_read: '0.00000003' },
  },
}
